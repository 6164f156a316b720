import type { Jieba } from '@node-rs/jieba';

let loading: Promise<Jieba> | null = null;
/** Cuts Chinese into words. The dictionary takes a moment and memory, so it is loaded when first needed. */
export const segmenter = (): Promise<Jieba> => {
  loading ??= Promise.all([import('@node-rs/jieba'), import('@node-rs/jieba/dict.js')]).then(([{ Jieba }, { dict }]) =>
    Jieba.withDict(dict),
  );
  return loading;
};
