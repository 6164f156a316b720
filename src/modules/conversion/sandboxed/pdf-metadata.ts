import { type DocumentRestrictions, documentRestrictions, type RenditionMeta } from '../rendition-meta.ts';
import { type Pdf, readUtf16 } from './pdf-engine.ts';
import { RESTRICTIONS_KEY } from './pdf-writer/pdf-writer.ts';

const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 8;
const MAX_TITLE_LENGTH = 200;

/** The bookmarks in reading order. Each is visited once, because a file may link them in a circle. */
export function readOutline(pdf: Pdf): RenditionMeta['outline'] {
  const { engine, document } = pdf;
  const visitedBookmarks = new Set<number>();
  const entries: RenditionMeta['outline'] = [];
  const visit = (parent: number, depth: number) => {
    let bookmark = engine.FPDFBookmark_GetFirstChild(document, parent);
    while (bookmark !== 0 && !visitedBookmarks.has(bookmark) && entries.length < MAX_ENTRIES) {
      visitedBookmarks.add(bookmark);
      entries.push({ depth, title: readBookmarkTitle(pdf, bookmark), page: findTargetPage(pdf, bookmark) });
      if (depth < MAX_DEPTH) visit(bookmark, depth + 1);
      bookmark = engine.FPDFBookmark_GetNextSibling(document, bookmark);
    }
  };
  visit(0, 0);
  return entries.filter(({ title }) => title !== '');
}

const DEFAULT_SLIDE_NAME = /^Slide \d+$/;

/** LibreOffice gives unnamed slides English names and also counts hidden slides. */
export const translateSlideNames = (outline: RenditionMeta['outline']): RenditionMeta['outline'] =>
  outline.map((entry) =>
    DEFAULT_SLIDE_NAME.test(entry.title) && entry.page > 0 ? { ...entry, title: `幻灯片 ${entry.page}` } : entry,
  );

function readBookmarkTitle(pdf: Pdf, bookmark: number): string {
  const title = readUtf16(pdf, (pointer, length) => pdf.engine.FPDFBookmark_GetTitle(bookmark, pointer, length));
  return title
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH);
}

function findTargetPage({ engine, document, pages }: Pdf, bookmark: number): number {
  let target = engine.FPDFBookmark_GetDest(document, bookmark);
  if (target === 0) {
    const action = engine.FPDFBookmark_GetAction(bookmark);
    if (action !== 0) target = engine.FPDFAction_GetDest(document, action);
  }
  const index = target === 0 ? -1 : engine.FPDFDest_GetDestPageIndex(document, target);
  return index >= 0 && index < pages ? index + 1 : 0;
}

const readInfoEntry = (pdf: Pdf, name: string): string =>
  readUtf16(pdf, (pointer, length) => pdf.engine.FPDF_GetMetaText(pdf.document, name, pointer, length));

export const readTitle = (pdf: Pdf): string =>
  readInfoEntry(pdf, 'Title')
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH);

/** Permission bits of ISO 32000-1, table 22. */
const [PRINT_PERMISSION, COPY_PERMISSION] = [1 << 2, 1 << 4];

/** Restrictions for readers who open the document without the owner password, and those of the source of a written PDF. */
export function readRestrictions(pdf: Pdf): DocumentRestrictions {
  const permissions = pdf.engine.FPDF_GetDocPermissions(pdf.document);
  const encryption = {
    printing: (permissions & PRINT_PERMISSION) === 0,
    copying: (permissions & COPY_PERMISSION) === 0,
  };
  const source = readSourceRestrictions(pdf);
  if (!source) return encryption;
  return { ...source, printing: encryption.printing || source.printing, copying: encryption.copying || source.copying };
}

/** Null without a valid entry. Any PDF may contain one, and so restrict itself. */
function readSourceRestrictions(pdf: Pdf): DocumentRestrictions | null {
  const text = readInfoEntry(pdf, RESTRICTIONS_KEY);
  if (text === '') return null;
  try {
    return documentRestrictions.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
