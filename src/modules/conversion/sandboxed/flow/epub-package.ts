import { DomUtils } from 'htmlparser2';
import { RejectedFileError } from '../rejection-reasons.ts';
import { findElementsByLocalName, parseXml } from '../xml-elements.ts';
import { resolvePath } from './book-paths.ts';
import type { Zip } from './zip-reader.ts';

export type BookPackage = {
  title: string;
  author: string;
  /** Chapter files in reading order. */
  spine: string[];
  cover: string | null;
  /** Table of contents of EPUB 3. */
  nav: string | null;
  ncx: string | null;
};

export async function readEpubPackage(zip: Zip): Promise<BookPackage> {
  const container = await zip.read('META-INF/container.xml');
  const rootfile = container && findElementsByLocalName(parseXml(container), 'rootfile')[0]?.attribs['full-path'];
  const path = rootfile ?? zip.names.find((name) => name.endsWith('.opf'));
  const bytes = path ? await zip.read(path) : null;
  if (!path || !bytes) throw new RejectedFileError('damaged', 'no package document');
  const nodes = parseXml(bytes);
  const resolve = (href = '') => resolvePath(path, href) ?? '';
  const items = findElementsByLocalName(nodes, 'item').map(({ attribs }) => ({
    id: attribs.id ?? '',
    href: resolve(attribs.href),
    type: attribs['media-type'] ?? '',
    properties: (attribs.properties ?? '').split(/\s+/),
  }));
  const byId = new Map(items.map((item) => [item.id, item]));
  const spine = findElementsByLocalName(nodes, 'itemref').flatMap(({ attribs }) => byId.get(attribs.idref ?? '') ?? []);
  const isPage = ({ type, href }: { type: string; href: string }) => /html/.test(type) || /\.x?html?$/i.test(href);
  const coverId = findElementsByLocalName(nodes, 'meta').find(({ attribs }) => attribs.name === 'cover')?.attribs
    .content;
  const cover =
    items.find(({ properties }) => properties.includes('cover-image')) ?? (coverId ? byId.get(coverId) : undefined);
  const text = (name: string) =>
    DomUtils.textContent(findElementsByLocalName(nodes, name)[0] ?? [])
      .replace(/\s+/g, ' ')
      .trim();
  return {
    title: text('title'),
    author: text('creator'),
    spine: (spine.length > 0 ? spine : items).filter(isPage).map(({ href }) => href),
    cover: cover && /^image\//.test(cover.type) ? cover.href : null,
    nav: items.find(({ properties }) => properties.includes('nav'))?.href ?? null,
    ncx: items.find(({ type }) => type === 'application/x-dtbncx+xml')?.href ?? null,
  };
}
