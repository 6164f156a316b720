import { readFileSync, statSync } from 'node:fs';
import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import { decodeMarkup } from '../../detect/markup-encoding.ts';
import type { RenditionMeta } from '../../rendition-meta.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { findAttributeValue, findElementsByLocalName, localName, type XmlNodes } from '../xml-elements.ts';
import { rewriteLink } from './book-paths.ts';
import { fictionBookToHtml, headingOf } from './fb2-html.ts';
import type { FlowOutput, FlowWriter } from './flow-writer.ts';
import { splitHtmlIntoBlocks } from './html-blocks.ts';
import { createImageStore } from './image-store.ts';

const MAX_FILE_BYTES = 48 * 1024 * 1024;
const MAX_OUTLINE_ENTRIES = 5_000;
/** Sections of these levels begin a chapter. */
const CHAPTER_LEVELS = 2;
const END_OF_FILE = /<\/(?:\w+:)?FictionBook\s*>\s*\0*$/;
const BOOK = 'book';

type Element = ReturnType<typeof findElementsByLocalName>[number];

/** Reads a FictionBook: one XML file with sections, notes and images. */
export async function readFb2(file: string, writer: FlowWriter, { folder, emit }: FlowOutput) {
  if (statSync(file).size > MAX_FILE_BYTES) throw new RejectedFileError('tooLarge');
  const xml = decodeMarkup(readFileSync(file));
  if (!END_OF_FILE.test(xml.slice(-200))) throw new RejectedFileError('incomplete');
  const [book] = findElementsByLocalName(parseDocument(xml, { xmlMode: true }).children, 'FictionBook');
  const bodies = book ? childrenNamed(book, 'body') : [];
  if (!book || bodies.length === 0) throw new RejectedFileError('damaged', 'no body');
  const images = createImageStore(folder, emit);
  const binaries = readBinaries(book);
  for (const [id, bytes] of binaries) await images.add(`#${id}`, bytes);
  const rewrite = {
    link: (href: string) => rewriteLink(BOOK, href),
    picture: (source: string) => images.nameOf(source),
  };
  const outline: RenditionMeta['outline'] = [];
  const addHtml = (html: string) => {
    for (const block of splitHtmlIntoBlocks(html, rewrite)) writer.add(block, BOOK);
  };
  const addSection = (section: Element, level: number) => {
    const title = headingOf(section);
    if (level < CHAPTER_LEVELS) writer.beginFile(`${BOOK}-${outline.length}`);
    // A chapter begins a section of the output; a deeper heading may lie within one.
    const place = `title-${outline.length}`;
    addHtml(fictionBookToHtml(section.children, level, { id: section.attribs.id, headingId: place }));
    if (title && outline.length < MAX_OUTLINE_ENTRIES)
      outline.push({ depth: level, title: title.slice(0, 200), page: writer.pageOf(`${BOOK}#${place}`) });
    for (const inner of childrenNamed(section, 'section')) addSection(inner, level + 1);
  };
  for (const body of bodies) addSection(body, 0);
  const description = childrenNamed(book, 'description');
  const cover = coverOf(description, binaries);
  return { ...readTitleInfo(description), outline: withoutEmptyTopLevel(outline), ...(cover && { cover }) };
}

const childrenNamed = ({ children }: Element, name: string): Element[] =>
  children.flatMap((node) => (node.type === ElementType.Tag && localName(node.name) === name ? [node] : []));

function readBinaries(book: Element): Map<string, Buffer> {
  return new Map(
    childrenNamed(book, 'binary').map((binary) => [
      binary.attribs.id ?? '',
      Buffer.from(DomUtils.textContent(binary), 'base64'),
    ]),
  );
}

const textOf = (nodes: XmlNodes, name: string): string =>
  DomUtils.textContent(findElementsByLocalName(nodes, name)[0] ?? [])
    .replace(/\s+/g, ' ')
    .trim();

function readTitleInfo(description: XmlNodes): { title: string; author: string } {
  const info = findElementsByLocalName(description, 'title-info');
  const author = findElementsByLocalName(info, 'author')[0]?.children ?? [];
  const names = ['first-name', 'middle-name', 'last-name'].map((name) => textOf(author, name)).filter(Boolean);
  return { title: textOf(info, 'book-title'), author: names.join(' ') || textOf(author, 'nickname') };
}

function coverOf(description: XmlNodes, binaries: Map<string, Buffer>): Buffer | undefined {
  const [image] = findElementsByLocalName(findElementsByLocalName(description, 'coverpage'), 'image');
  return image && binaries.get(findAttributeValue(image.attribs, 'href').slice(1));
}

/** Most books have no title in their body, so that all sections are one level down. */
function withoutEmptyTopLevel(outline: RenditionMeta['outline']): RenditionMeta['outline'] {
  const topLevel = Math.min(...outline.map(({ depth }) => depth));
  return outline.map((entry) => ({ ...entry, depth: entry.depth - topLevel }));
}
