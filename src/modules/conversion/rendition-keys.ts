import type { FileFormat } from './conversion.contract.ts';
import { pageName } from './page-name.ts';

export type RenditionVersion = { hash: string; format: FileFormat; version: number };

/** Storage keys contain only hashes and formats, never names from users. */
const blobFolder = (hash: string) => `blob/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;

export const originalKey = (hash: string) => `${blobFolder(hash)}/original`;
/** Prefix of all objects of a file, in every format. */
export const blobPrefix = (hash: string) => `${blobFolder(hash)}/`;

/** Keys of all files of a rendition; each pipeline version has its own folder. */
export const renditionStorageKeys = ({ hash, format, version }: RenditionVersion) => {
  const folder = `${blobFolder(hash)}/${format}/v${version}`;
  return {
    prefix: `${folder}/`,
    pdf: `${folder}/canonical.pdf`,
    cover: `${folder}/cover.webp`,
    /** Page sizes, table of contents and other data that the reader loads first. */
    meta: `${folder}/meta.json`,
    /** Plain text of all pages, separated by form feeds. */
    text: `${folder}/text.txt`,
    page: (page: number) => `${folder}/p/${pageName(page)}.webp`,
    smallPage: (page: number) => `${folder}/s/${pageName(page)}.webp`,
    /** Rendered when a reader zooms in. */
    hiResPage: (page: number) => `${folder}/l/${pageName(page)}.webp`,
    /** Words of all pages with their boxes, compressed; meta.json holds the offset of each page. */
    words: `${folder}/words.bin`,
    /** A section of flowing text, or rows of a table. */
    section: (page: number) => `${folder}/f/${pageName(page)}.json`,
    picture: (name: string) => `${folder}/i/${name}`,
  };
};

/** Compressed words of a recognized page. The key has no pipeline version, so that a new conversion keeps them. */
export const recognizedWordsKey = ({ hash, format }: Pick<RenditionVersion, 'hash' | 'format'>, page: number): string =>
  `${blobFolder(hash)}/${format}/o/${pageName(page)}.json.gz`;
