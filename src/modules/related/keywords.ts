import type { TfIdf } from '@node-rs/jieba';
import { type SQL, sql } from 'drizzle-orm';
import { extractTitleKeywords } from '#modules/document/extract-title-keywords.ts';
import { loadWordSegmenter, readWordDictionary } from '#modules/text/segmenter.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';

const MAX_TITLE_KEYWORDS = 8;
const MAX_KEYWORDS = 28;

let loadPromise: Promise<TfIdf> | null = null;
const loadTfIdf = (): Promise<TfIdf> => {
  loadPromise ??= Promise.all([import('@node-rs/jieba'), readWordDictionary('idf')]).then(([{ TfIdf }, idf]) =>
    TfIdf.withDict(idf),
  );
  return loadPromise;
};

const isKeyword = (word: string) => Array.from(word).length >= 2 && /\p{L}/u.test(word) && word.length <= 40;

export const integerArray = (values: readonly number[]): SQL => sql`${sql.param(toArrayLiteral(values))}::integer[]`;

/** Keywords of the title, then the words with the highest TF-IDF weight in the text. */
export async function extractKeywords(title: string, text: string): Promise<string[]> {
  const titleWords = (await extractTitleKeywords(title)).split(',').filter(isKeyword).slice(0, MAX_TITLE_KEYWORDS);
  const weightedKeywords = (await loadTfIdf()).extractKeywords(await loadWordSegmenter(), text, MAX_KEYWORDS);
  const textWords = weightedKeywords.map(({ keyword }) => keyword).filter(isKeyword);
  return [...new Set([...titleWords, ...textWords])].slice(0, MAX_KEYWORDS);
}
