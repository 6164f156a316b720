import { readFileSync, statSync } from 'node:fs';
import { decodeMarkup } from '../../detect/markup-encoding.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { type ArchivePart, readArchive } from './mhtml.ts';

const MAX_FILE_BYTES = 48 * 1024 * 1024;
const DATA_PICTURE = /^data:image\/[\w.+-]+;base64,/i;

export type WebPage = {
  /** HTML files in their order, the main one first; a file that is no archive is its only page. */
  pages: { location: string; html: string }[];
  /** The bytes of a picture that lies in the file itself; null for one that lies elsewhere. */
  picture(source: string): Buffer | null;
};

/** Reads a web page or a web archive (MHTML). Nothing outside of the file is ever opened. */
export function openWebPage(file: string): WebPage {
  if (statSync(file).size > MAX_FILE_BYTES) throw new RejectedFileError('tooLarge');
  const bytes = readFileSync(file);
  const isArchive = !/^\s*</.test(decodeMarkup(bytes.subarray(0, 1024)));
  const parts = isArchive ? readArchive(bytes) : [];
  const pages = parts
    .filter(({ type }) => type === 'text/html' || type === 'application/xhtml+xml')
    .map(({ location, body }) => ({ location, html: decodeMarkup(body) }));
  if (isArchive && pages.length === 0) throw new RejectedFileError('damaged', 'an archive without a page');
  return {
    pages: isArchive ? pages : [{ location: '', html: decodeMarkup(bytes) }],
    picture: (source) => pictureOf(source, parts),
  };
}

function pictureOf(source: string, parts: ArchivePart[]): Buffer | null {
  const data = DATA_PICTURE.exec(source);
  if (data) return Buffer.from(source.slice(data[0].length), 'base64');
  const part = parts.find(
    ({ location, id }) => (id && source === `cid:${id}`) || (location && isSame(location, source)),
  );
  return part?.type.startsWith('image/') ? part.body : null;
}

/** A page names a picture by its full address or by the end of it. */
const isSame = (location: string, source: string) =>
  location === source || location.endsWith(`/${source.replace(/^\.?\/+/, '')}`);
