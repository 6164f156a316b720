import type { ContentMeta } from './rendition-meta.ts';

export const emptyMeta = (): ContentMeta => ({
  sizes: [],
  outline: [],
  words: [0],
  sheets: [],
  title: '',
  author: '',
});
