import { addNote, type Drawing } from './drawing.ts';
import { combine, parseBox, translation } from './geometry.ts';
import { folderOf, type OfdPackage } from './ofd-package.ts';
import { childText, findChild, findChildren, type XmlElement } from './xml-tree.ts';

/** Types that need no appearance: links have none, and seals are drawn from their signatures. */
const INVISIBLE_TYPES: ReadonlySet<string> = new Set(['Link', 'Stamp']);
const typeNames: Record<string, string> = { Path: '图形', Highlight: '高亮', Watermark: '水印' };

/** The members with the annotations of each page, by the number of the page. */
export async function readAnnotationMembers(ofd: OfdPackage, list: string | null): Promise<Map<string, string[]>> {
  const root = await ofd.readXml(list);
  const members = new Map<string, string[]>();
  for (const page of findChildren(root, 'Page')) {
    const member = ofd.findMember(childText(page, 'FileLoc'), folderOf(list ?? ''));
    const id = page.attributes.PageID ?? '';
    if (member !== null) members.set(id, [...(members.get(id) ?? []), member]);
  }
  return members;
}

/** Draws the appearance of each annotation. */
export async function drawAnnotations(drawing: Drawing, annotations: XmlElement | null): Promise<void> {
  for (const annotation of findChildren(annotations, 'Annot')) {
    const { Visible, Type = '' } = annotation.attributes;
    if (Visible === 'false' || Visible === '0') continue;
    const appearance = findChild(annotation, 'Appearance');
    const box = parseBox(appearance?.attributes.Boundary) ?? { x: 0, y: 0 };
    if (appearance && appearance.children.length > 0)
      await drawing.drawBlock({ ...drawing, matrix: combine(translation(box.x, box.y), drawing.matrix) }, appearance);
    else if (!INVISIBLE_TYPES.has(Type)) addNote(drawing, `注释（${typeNames[Type] ?? '未知类型'}）`);
  }
}
