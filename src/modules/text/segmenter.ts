import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Jieba } from '@node-rs/jieba';

/** Reads the words (`dict`) or their frequencies (`idf`). The package's own module would keep both in memory. */
export const readWordDictionary = (name: 'dict' | 'idf'): Promise<Buffer> =>
  readFile(createRequire(import.meta.url).resolve(`@node-rs/jieba/${name}.txt`));

let segmenterPromise: Promise<Jieba> | null = null;
/** Splits Chinese text into words. The dictionary is loaded on first use because it takes time and memory. */
export const loadWordSegmenter = (): Promise<Jieba> => {
  segmenterPromise ??= Promise.all([import('@node-rs/jieba'), readWordDictionary('dict')]).then(([{ Jieba }, dict]) =>
    Jieba.withDict(dict),
  );
  return segmenterPromise;
};
