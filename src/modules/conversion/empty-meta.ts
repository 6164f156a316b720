import type { RenditionMeta } from './rendition-meta.ts';

export const emptyMeta = (): RenditionMeta => ({
  sizes: [],
  outline: [],
  words: [0],
  sheets: [],
  title: '',
  author: '',
});
