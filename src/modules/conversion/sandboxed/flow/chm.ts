import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import { decodeMarkup } from '../../detect/markup-encoding.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { findImageSources, resolvePath, rewriteLink } from './book-paths.ts';
import { chooseUndeclaredEncoding, findChmLanguageEncoding } from './chm-language.ts';
import type { FlowOutput, FlowWriter } from './flow-writer.ts';
import { readPageTitle, splitHtmlIntoBlocks } from './html-blocks.ts';
import { createImageStore } from './image-store.ts';

const MAX_PAGE_BYTES = 8 * 1024 * 1024;
const MAX_IMAGE_BYTES = 32 * 1024 * 1024;
const MAX_PAGES = 10_000;

type ChmTocEntry = { depth: number; title: string; path: string };

/** Reads an unpacked help book: its pages in the order of its table of contents. */
export async function readChm(root: string, writer: FlowWriter, { folder, emit }: FlowOutput) {
  const files = listFiles(root);
  // File names in a help book are case-insensitive.
  const byName = new Map(files.map((name) => [name.toLowerCase(), name]));
  const pages = files.filter((name) => /\.x?html?$/i.test(name));
  if (pages.length === 0) throw new RejectedFileError('damaged', 'no pages');
  const readPage = createChmPageReader(root);
  const toc = readTableOfContents(readPage, files);
  const findFile = (path: string) => byName.get(path.toLowerCase());
  const listedPages = toc.flatMap(({ path }) => findFile(path) ?? []);
  const order = [...new Set([...listedPages, ...pages])].slice(0, MAX_PAGES);
  const images = createImageStore(folder, emit);
  for (const page of order) {
    const html = readPage(page);
    if (html === null) continue;
    for (const source of findImageSources(html)) {
      const path = findFile(resolvePath(page, source.replaceAll('\\', '/')) ?? '');
      if (path) await images.add(path, readFileUpTo(`${root}/${path}`, MAX_IMAGE_BYTES));
    }
    writer.beginFile(page);
    const rewrite = {
      link: (href: string) => rewriteLink(page, href.replaceAll('\\', '/')),
      picture: (source: string) => images.nameOf(findFile(resolvePath(page, source.replaceAll('\\', '/')) ?? '') ?? ''),
    };
    for (const block of splitHtmlIntoBlocks(html, rewrite)) writer.add(block, page);
  }
  const outline = toc.map(({ depth, title, path }) => ({
    depth,
    title,
    page: writer.pageOf(findFile(path) ?? ''),
  }));
  return { title: readPageTitle((order[0] && readPage(order[0])) || ''), outline };
}

/** Lists the files below a folder, without the internal tables of the format, whose names begin with #, $ or :. */
function listFiles(root: string, subfolder = ''): string[] {
  return readdirSync(posix.join(root, subfolder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(subfolder, entry.name);
      if (/^[#$:]/.test(entry.name)) return [];
      if (entry.isDirectory()) return listFiles(root, path);
      return entry.isFile() ? [path] : [];
    });
}

function readFileUpTo(file: string, maxBytes: number): Buffer | null {
  return existsSync(file) && statSync(file).size <= maxBytes ? readFileSync(file) : null;
}

type ReadPage = (path: string) => string | null;

/** Decodes pages by their declared encoding, then by the language of the book, then by detection. */
function createChmPageReader(root: string): ReadPage {
  const language = findChmLanguageEncoding(readFileUpTo(`${root}/#SYSTEM`, MAX_PAGE_BYTES));
  return (path) => {
    const bytes = readFileUpTo(`${root}/${path}`, MAX_PAGE_BYTES);
    if (!bytes) return null;
    return decodeMarkup(bytes, (detectedEncoding) => chooseUndeclaredEncoding(bytes, language, detectedEncoding));
  };
}

/** The table of contents consists of nested lists of objects with a name and a file. */
function readTableOfContents(readPage: ReadPage, files: string[]): ChmTocEntry[] {
  const file = files.find((name) => /\.hhc$/i.test(name));
  const html = file && readPage(file);
  if (!html) return [];
  const entries: ChmTocEntry[] = [];
  let depth = -1;
  const visit = (nodes: ReturnType<typeof parseDocument>['children']) => {
    for (const node of nodes) {
      if (node.type !== ElementType.Tag) continue;
      if (node.name === 'ul') depth++;
      if (node.name === 'object') {
        const entry = parseChmTocEntry(node.children, Math.max(0, depth));
        if (entry) entries.push(entry);
      }
      visit(node.children);
      if (node.name === 'ul') depth--;
    }
  };
  visit(parseDocument(html).children);
  return entries.slice(0, 5_000);
}

function parseChmTocEntry(nodes: ReturnType<typeof parseDocument>['children'], depth: number): ChmTocEntry | null {
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
