import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';
import { pinyinOf, pinyinPrefixKey, singleEditVariants } from '../text/prefix-keys.ts';
import type { Query } from './parse-query.ts';

const MAX_SUGGESTIONS_READ = 600;
const MIN_CORRECTED_LENGTH = 4;

type SuggestedWord = { text: string; normalized: string };

async function wordsWithPrefixKeys(ctx: Context, keys: number[]): Promise<SuggestedWord[]> {
  const { rows } = await ctx.db.execute<SuggestedWord>(sql`
    select text, normalized
    from search_suggestions_with_keys(${toArrayLiteral(keys)}::integer[], 0::smallint, ${MAX_SUGGESTIONS_READ})
    where document_id is null order by weight desc`);
  return rows;
}

/** A known word with the same pinyin or at edit distance one; the word itself if it is known. */
async function correctSpelling(ctx: Context, word: string): Promise<string | null> {
  const pinyin = (await pinyinOf(word)).replace(/[^a-z]/g, '');
  if (pinyin.length < 2) return null;
  const homophones = await wordsWithPrefixKeys(ctx, [pinyinPrefixKey(pinyin)]);
  if (homophones.some(({ normalized }) => normalized === word)) return word;
  for (const { text, normalized } of homophones) if ((await pinyinOf(normalized)) === pinyin) return text;
  if (!/^[a-z]+$/.test(word) || word.length < MIN_CORRECTED_LENGTH) return null;
  const variants = new Set(singleEditVariants(word));
  for (const { text, normalized } of await wordsWithPrefixKeys(ctx, [...variants].map(pinyinPrefixKey)))
    if (variants.has(normalized) || variants.has(await pinyinOf(normalized))) return text;
  return null;
}

/** A correction of the query; empty if there is none. */
export async function suggestCorrection(ctx: Context, { text, words }: Query): Promise<string> {
  const correctedText = await correctSpelling(ctx, text);
  if (correctedText !== null) return correctedText === text ? '' : correctedText;
  if (words.length < 2) return '';
  const correctedWords = await Promise.all(
    words.map(async (word) => (await correctSpelling(ctx, word.text)) ?? word.text),
  );
  const isChanged = correctedWords.some((word, at) => word !== words[at]?.text);
  return isChanged ? correctedWords.join(' ') : '';
}
