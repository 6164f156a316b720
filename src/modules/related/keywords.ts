import { createHash } from 'node:crypto';
import type { TfIdf } from '@node-rs/jieba';
import { type SQL, sql } from 'drizzle-orm';
import { titleKeywords } from '#modules/document/title-keywords.ts';
import { segmenter } from '#modules/text/segmenter.ts';
import { arrayText } from '#platform/server/db/db.ts';

const FROM_TITLE = 8;
const IN_ALL = 28;

let loading: Promise<TfIdf> | null = null;
/** Knows how rare words are. */
const weights = (): Promise<TfIdf> => {
  loading ??= Promise.all([import('@node-rs/jieba'), import('@node-rs/jieba/dict.js')]).then(([{ TfIdf }, { idf }]) =>
    TfIdf.withDict(idf),
  );
  return loading;
};

const isTelling = (word: string) => Array.from(word).length >= 2 && /\p{L}/u.test(word) && word.length <= 40;

/** A word as a number: short to store, quick to compare, and nothing of the text can be read from it. */
export const termOf = (word: string): number =>
  createHash('sha1').update(word.normalize('NFKC').toLowerCase()).digest().readInt32BE(0);

/** Numbers as an array of the database. */
export const arrayOf = (numbers: readonly number[]): SQL => sql`${sql.param(arrayText(numbers))}::integer[]`;

/** What a document is about: the words of its title, then those its text has more often than others. */
export async function extractKeywords(title: string, text: string): Promise<string[]> {
  const ofTitle = (await titleKeywords(title)).split(',').filter(isTelling).slice(0, FROM_TITLE);
  const found = (await weights()).extractKeywords(await segmenter(), text, IN_ALL);
  const ofText = found.map(({ keyword }) => keyword).filter(isTelling);
  return [...new Set([...ofTitle, ...ofText])].slice(0, IN_ALL);
}
