import type { ContentMeta } from './events.ts';

export const emptyMeta = (): ContentMeta => ({
  sizes: [],
  outline: [],
  words: [0],
  sheets: [],
  title: '',
  author: '',
});
