import type { ContentMeta } from './content-meta.ts';

export const emptyMeta = (): ContentMeta => ({
  sizes: [],
  outline: [],
  words: [0],
  sheets: [],
  title: '',
  author: '',
});
