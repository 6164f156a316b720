import type { Jieba } from '@node-rs/jieba';

let segmenterPromise: Promise<Jieba> | null = null;
/** Splits Chinese text into words. The dictionary is loaded on first use because it takes time and memory. */
export const loadWordSegmenter = (): Promise<Jieba> => {
  segmenterPromise ??= Promise.all([import('@node-rs/jieba'), import('@node-rs/jieba/dict.js')]).then(
    ([{ Jieba }, { dict }]) => Jieba.withDict(dict),
  );
  return segmenterPromise;
};
