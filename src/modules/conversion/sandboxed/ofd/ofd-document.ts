import { MAX_PAGES } from '../../page-name.ts';
import type { DocumentRestrictions } from '../../rendition-meta.ts';
import type { PdfOutlineItem } from '../pdf-writer/pdf-outline.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { type OfdBox, parseBox } from './geometry.ts';
import { folderOf, type OfdPackage } from './ofd-package.ts';
import { readPermissions } from './permissions.ts';
import { addResources, emptyResources, type Resources } from './resources.ts';
import { childText, findChild, findChildren, findDescendant, type XmlElement } from './xml-tree.ts';

const MAX_OUTLINE_ITEMS = 5_000;

type OfdTemplate = { member: string | null; isForeground: boolean };
export type OfdPageReference = { id: string; member: string | null };
export type OfdDocument = {
  folder: string;
  resources: Resources;
  pages: OfdPageReference[];
  templates: Map<string, OfdTemplate>;
  /** Area of pages without one. */
  pageArea: XmlElement | null;
  /** Member that lists the annotations; null without any. */
  annotations: string | null;
  /** Member that lists the signatures; null without any. */
  signatures: string | null;
  outline: PdfOutlineItem[];
  restrictions: DocumentRestrictions;
};
export type OfdFile = { title: string; documents: OfdDocument[] };

const A4: OfdBox = { x: 0, y: 0, width: 210, height: 297 };

/** Reads the structure of the file, without its pages. */
export async function readOfdFile(ofd: OfdPackage): Promise<OfdFile> {
  const root = await ofd.readXml(ofd.findMember('OFD.xml', ''));
  if (root?.name !== 'OFD') throw new RejectedFileError('damaged', 'no OFD.xml');
  const bodies = findChildren(root, 'DocBody');
  if (bodies.some((body) => findChild(body, 'DocRoot') === null && findChild(body, 'Encrypt')))
    throw new RejectedFileError('encrypted');
  const documents: OfdDocument[] = [];
  let pages = 0;
  for (const body of bodies) {
    const document = await readDocument(ofd, body, pages);
    if (document) documents.push(document);
    pages += document?.pages.length ?? 0;
    if (pages > MAX_PAGES) throw new RejectedFileError('tooLarge', `${pages} pages`);
  }
  if (documents.length === 0) throw new RejectedFileError('damaged', 'no document');
  if (pages === 0) throw new RejectedFileError('empty');
  return { title: childText(findDescendant(bodies[0] ?? null, 'DocInfo'), 'Title'), documents };
}

async function readDocument(ofd: OfdPackage, body: XmlElement, pagesBefore: number): Promise<OfdDocument | null> {
  const member = ofd.findMember(childText(body, 'DocRoot'), '');
  const root = await ofd.readXml(member);
  if (member === null || root?.name !== 'Document') return null;
  const folder = folderOf(member);
  const find = (location: string) => (location === '' ? null : ofd.findMember(location, folder));
  const commonData = findChild(root, 'CommonData');
  const resources = emptyResources();
  for (const { name, text } of commonData?.children ?? [])
    if (name === 'PublicRes' || name === 'DocumentRes') await addResources(resources, ofd, find(text));
  const pages = findChildren(findChild(root, 'Pages'), 'Page').map(({ attributes }) => ({
    id: attributes.ID ?? '',
    member: find(attributes.BaseLoc ?? ''),
  }));
  const pageNumbers = new Map(pages.map(({ id }, index) => [id, pagesBefore + index + 1]));
  return {
    folder,
    resources,
    pages,
    templates: new Map(
      findChildren(commonData, 'TemplatePage').map(({ attributes }) => [
        attributes.ID ?? '',
        { member: find(attributes.BaseLoc ?? ''), isForeground: attributes.ZOrder === 'Foreground' },
      ]),
    ),
    pageArea: findChild(commonData, 'PageArea'),
    annotations: find(childText(root, 'Annotations')),
    signatures: ofd.findMember(childText(body, 'Signatures'), ''),
    outline: readOutline(root, pageNumbers),
    restrictions: readPermissions(findChild(root, 'Permissions')),
  };
}

/** The visible area of a page, of its own or of the document. */
export function pageBox(page: XmlElement | null, { pageArea }: Pick<OfdDocument, 'pageArea'>): OfdBox {
  const candidates = [findChild(page, 'Area'), pageArea].flatMap((area) => [
    parseBox(childText(area, 'PhysicalBox')),
    parseBox(childText(area, 'ApplicationBox')),
  ]);
  return candidates.find((box) => box !== null && box.width > 0 && box.height > 0) ?? A4;
}

function readOutline(root: XmlElement, pageNumbers: Map<string, number>): PdfOutlineItem[] {
  let count = 0;
  const readItems = (parent: XmlElement | null): PdfOutlineItem[] =>
    findChildren(parent, 'OutlineElem').flatMap((element) => {
      count++;
      if (count > MAX_OUTLINE_ITEMS) return [];
      const item = {
        title: element.attributes.Title ?? '',
        page: findTargetPage(root, element, pageNumbers),
        children: readItems(element),
      };
      return [item];
    });
  return readItems(findChild(root, 'Outlines'));
}

/** The page of the action of an entry, directly or by a bookmark; 0 without one. */
function findTargetPage(root: XmlElement, item: XmlElement, pageNumbers: Map<string, number>): number {
  const goto = findChildren(findChild(item, 'Actions'), 'Action')
    .map((action) => findChild(action, 'Goto'))
    .find((element) => element !== null);
  const bookmarkName = findChild(goto, 'Bookmark')?.attributes.Name;
  const bookmark = findChildren(findChild(root, 'Bookmarks'), 'Bookmark').find(
    ({ attributes }) => bookmarkName !== undefined && attributes.Name === bookmarkName,
  );
  const destination = findChild(goto, 'Dest') ?? findChild(bookmark, 'Dest');
  return pageNumbers.get(destination?.attributes.PageID ?? '') ?? 0;
}
