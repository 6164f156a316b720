import { readFileSync, statSync } from 'node:fs';
import { decodeMarkup } from '../../detect/markup-encoding.ts';
import { isWebArchive } from '../../detect/markup-format.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { type ArchivePart, parseMhtmlArchive } from './mhtml.ts';

const MAX_FILE_BYTES = 48 * 1024 * 1024;
const DATA_URL_IMAGE = /^data:image\/[\w.+-]+;base64,/i;

export type WebPage = {
  /** HTML files in order, the main file first; a file that is no archive is the only page. */
  pages: { location: string; html: string }[];
  /** Bytes of an embedded image; null for an external one. */
  picture(source: string): Buffer | null;
};

/** Reads a web page or a web archive (MHTML). Opens nothing outside of the file. */
export function readWebPageFile(file: string): WebPage {
  if (statSync(file).size > MAX_FILE_BYTES) throw new RejectedFileError('tooLarge');
  const bytes = readFileSync(file);
  const isArchive = isWebArchive(bytes);
  const parts = isArchive ? parseMhtmlArchive(bytes) : [];
  const pages = parts
    .filter(({ type }) => type === 'text/html' || type === 'application/xhtml+xml')
    .map(({ location, body }) => ({ location, html: decodeMarkup(body) }));
  if (isArchive && pages.length === 0) throw new RejectedFileError('damaged', 'web archive without a page');
  return {
    pages: isArchive ? pages : [{ location: '', html: decodeMarkup(bytes) }],
    picture: (source) => findEmbeddedImage(source, parts),
  };
}

/** Bytes of an image in the text itself; null for any other source. */
export function decodeDataUrlImage(source: string): Buffer | null {
  const data = DATA_URL_IMAGE.exec(source);
  return data && Buffer.from(source.slice(data[0].length), 'base64');
}

function findEmbeddedImage(source: string, parts: ArchivePart[]): Buffer | null {
  const embeddedImage = decodeDataUrlImage(source);
  if (embeddedImage) return embeddedImage;
  const part = parts.find(
    ({ location, id }) => (id && source === `cid:${id}`) || (location && isSameLocation(location, source)),
  );
  return part?.type.startsWith('image/') ? part.body : null;
}

/** A page refers to an image by its full URL or by the end of it. */
const isSameLocation = (location: string, source: string) =>
  location === source || location.endsWith(`/${source.replace(/^\.?\/+/, '')}`);
