import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { arrayText } from '#platform/server/db/db.ts';
import { pinyinKey, pinyinOf, singleEditVariants } from '../text/prefix-keys.ts';
import type { Query } from './parse-query.ts';

const LOOKED_AT = 600;
const LEAST_FOR_SLIPS = 4;

type Known = { text: string; folded: string };

async function wordsUnder(ctx: Context, keys: number[]): Promise<Known[]> {
  const { rows } = await ctx.db.execute<Known>(sql`
    select text, folded
    from search_offered(${arrayText(keys)}::integer[], 0::smallint, ${LOOKED_AT})
    where document_id is null order by weight desc`);
  return rows;
}

/** A word the site knows that sounds the same, or is one slip away; the word itself where it is known. */
async function correct(ctx: Context, word: string): Promise<string | null> {
  const sound = (await pinyinOf(word)).replace(/[^a-z]/g, '');
  if (sound.length < 2) return null;
  const alike = await wordsUnder(ctx, [pinyinKey(sound)]);
  if (alike.some(({ folded }) => folded === word)) return word;
  for (const { text, folded } of alike) if ((await pinyinOf(folded)) === sound) return text;
  if (!/^[a-z]+$/.test(word) || word.length < LEAST_FOR_SLIPS) return null;
  const slips = new Set(singleEditVariants(word));
  for (const { text, folded } of await wordsUnder(ctx, [...slips].map(pinyinKey)))
    if (slips.has(folded) || slips.has(await pinyinOf(folded))) return text;
  return null;
}

/** What was probably meant; empty where nothing better is known. */
export async function suggestCorrection(ctx: Context, { text, words }: Query): Promise<string> {
  const whole = await correct(ctx, text);
  if (whole !== null) return whole === text ? '' : whole;
  if (words.length < 2) return '';
  const each = await Promise.all(words.map(async (word) => (await correct(ctx, word.text)) ?? word.text));
  const isOther = each.some((word, at) => word !== words[at]?.text);
  return isOther ? each.join(' ') : '';
}
