import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import { decodeMarkup } from '../../detect/markup-encoding.ts';
import type { ConverterEvent } from '../events.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { linkOf, pictureSources, resolvePath } from './book-paths.ts';
import { languageEncoding, undeclaredEncoding } from './chm-language.ts';
import type { FlowWriter } from './flow-writer.ts';
import { htmlBlocks, pageTitle } from './html-blocks.ts';
import { pictureStore } from './image-store.ts';

const MAX_PAGE_BYTES = 8 * 1024 * 1024;
const MAX_PICTURE_BYTES = 32 * 1024 * 1024;
const MAX_PAGES = 10_000;

type Tools = { folder: string; say: (event: ConverterEvent) => void };
type TocEntry = { depth: number; title: string; path: string };

/** A help book that was unpacked into a folder: its pages in the order of its contents list. */
export async function readChm(root: string, writer: FlowWriter, { folder, say }: Tools) {
  const files = listFiles(root);
  // Names in these files do not care about case.
  const byName = new Map(files.map((name) => [name.toLowerCase(), name]));
  const pages = files.filter((name) => /\.x?html?$/i.test(name));
  if (pages.length === 0) throw new RejectedFileError('damaged', 'no pages');
  const readPage = pageReader(root);
  const toc = readContents(readPage, files);
  const find = (path: string) => byName.get(path.toLowerCase());
  const listed = toc.flatMap(({ path }) => find(path) ?? []);
  const order = [...new Set([...listed, ...pages])].slice(0, MAX_PAGES);
  const pictures = pictureStore(folder, say);
  for (const page of order) {
    const html = readPage(page);
    if (html === null) continue;
    for (const source of pictureSources(html)) {
      const path = find(resolvePath(page, source.replaceAll('\\', '/')) ?? '');
      if (path) await pictures.add(path, readSmall(`${root}/${path}`, MAX_PICTURE_BYTES));
    }
    writer.beginFile(page);
    const rewrite = {
      link: (href: string) => linkOf(page, href.replaceAll('\\', '/')),
      picture: (source: string) => pictures.nameOf(find(resolvePath(page, source.replaceAll('\\', '/')) ?? '') ?? ''),
    };
    for (const block of htmlBlocks(html, rewrite)) writer.add(block, page);
  }
  const outline = toc.map(({ depth, title, path }) => ({
    depth,
    title,
    page: writer.pageOf(find(path) ?? ''),
  }));
  return { title: pageTitle((order[0] && readPage(order[0])) || ''), outline };
}

/** Paths below the folder; names that begin with a sign are tables of the format itself. */
function listFiles(root: string, below = ''): string[] {
  return readdirSync(posix.join(root, below), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(below, entry.name);
      if (/^[#$:]/.test(entry.name)) return [];
      if (entry.isDirectory()) return listFiles(root, path);
      return entry.isFile() ? [path] : [];
    });
}

function readSmall(file: string, maxBytes: number): Buffer | null {
  return existsSync(file) && statSync(file).size <= maxBytes ? readFileSync(file) : null;
}

type ReadPage = (path: string) => string | null;

/** Reads pages by the encoding that they declare, then by the language of the book, then by detection. */
function pageReader(root: string): ReadPage {
  const language = languageEncoding(readSmall(`${root}/#SYSTEM`, MAX_PAGE_BYTES));
  return (path) => {
    const bytes = readSmall(`${root}/${path}`, MAX_PAGE_BYTES);
    if (!bytes) return null;
    return decodeMarkup(bytes, (detected) => undeclaredEncoding(bytes, language, detected));
  };
}

/** The contents list: nested lists of objects with a name and a file. */
function readContents(readPage: ReadPage, files: string[]): TocEntry[] {
  const file = files.find((name) => /\.hhc$/i.test(name));
  const html = file && readPage(file);
  if (!html) return [];
  const entries: TocEntry[] = [];
  let depth = -1;
  const visit = (nodes: ReturnType<typeof parseDocument>['children']) => {
    for (const node of nodes) {
      if (node.type !== ElementType.Tag) continue;
      if (node.name === 'ul') depth++;
      if (node.name === 'object') {
        const entry = entryOf(node.children, Math.max(0, depth));
        if (entry) entries.push(entry);
      }
      visit(node.children);
      if (node.name === 'ul') depth--;
    }
  };
  visit(parseDocument(html).children);
  return entries.slice(0, 5_000);
}

function entryOf(nodes: ReturnType<typeof parseDocument>['children'], depth: number): TocEntry | null {
  const values = new Map(
    DomUtils.getElementsByTagName('param', nodes, true).map(({ attribs }) => [
      (attribs.name ?? '').toLowerCase(),
      attribs.value ?? '',
    ]),
  );
  const [title, local] = [values.get('name'), values.get('local')];
  if (!title) return null;
  const path = (local ?? '').replaceAll('\\', '/').replace(/^\/+/, '').split('#')[0] ?? '';
  return { depth, title: title.replace(/\s+/g, ' ').trim().slice(0, 200), path };
}
