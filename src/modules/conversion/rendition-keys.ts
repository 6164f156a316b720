import type { FileFormat } from './conversion.contract.ts';
import { pageName } from './page-name.ts';

type Named = { hash: string; format: FileFormat };
/** Where the parts of a content lie in the storage. Names from users never reach a key. */
const folderOf = (hash: string) => `blob/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;

export const originalKey = (hash: string) => `${folderOf(hash)}/original`;
/** Everything stored under a hash, whatever it was read as. */
export const blobPrefix = (hash: string) => `${folderOf(hash)}/`;

/** Everything made from one content; a new pipeline writes beside the old one. */
export const derivedKeys = ({ hash, format, version }: Named & { version: number }) => {
  const folder = `${folderOf(hash)}/${format}/v${version}`;
  return {
    prefix: `${folder}/`,
    pdf: `${folder}/canonical.pdf`,
    cover: `${folder}/cover.webp`,
    /** Sizes of all pages, the contents list and what else the reader needs first. */
    meta: `${folder}/meta.json`,
    /** The plain text of all pages, form feeds between them. */
    text: `${folder}/text.txt`,
    page: (page: number) => `${folder}/p/${pageName(page)}.webp`,
    smallPage: (page: number) => `${folder}/s/${pageName(page)}.webp`,
    /** A larger image, made when somebody looks closely. */
    sharpPage: (page: number) => `${folder}/l/${pageName(page)}.webp`,
    /** The words of all pages with their boxes, packed; meta says where each page begins. */
    words: `${folder}/words.bin`,
    /** A section of flowing text, or rows of a table. */
    section: (page: number) => `${folder}/f/${pageName(page)}.json`,
    picture: (name: string) => `${folder}/i/${name}`,
  };
};
