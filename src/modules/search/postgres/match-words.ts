import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';
import { isPinyinCandidate } from '../query/field-weights.ts';
import type { Query, QueryWord } from '../query/parse-query.ts';
import { pinyinTermKey } from '../text/term-keys.ts';
import { blockNumberOfKey, findKeyInBlock, forEachPosting, LONG_LIST_ROW } from './posting-codec.ts';
import type { Segment } from './read-segments.ts';

/** Segment id to its posting rows by part number. */
type Rows = Map<number, Map<number, Buffer>>;

const pinyinKeyOf = (text: string): number | null => (isPinyinCandidate(text) ? pinyinTermKey(text) : null);

function collectTermKeys(words: readonly QueryWord[]): number[] {
  const keys = new Set<number>();
  for (const { forms } of words)
    for (const { text, pieces } of forms) {
      for (const key of pieces.flat()) keys.add(key);
      const pinyinKey = pinyinKeyOf(text);
      if (pinyinKey !== null) keys.add(pinyinKey);
    }
  return [...keys];
}

export async function readPostings(
  ctx: Context,
  { words, excludedWords }: Query,
  segments: readonly Segment[],
): Promise<Rows> {
  const keys = collectTermKeys([...words, ...excludedWords]);
  const ids: number[] = [];
  const parts: number[] = [];
  for (const { id, blocks } of segments)
    for (const part of new Set(keys.flatMap((key) => [blockNumberOfKey(key, blocks), LONG_LIST_ROW + key]))) {
      ids.push(id);
      parts.push(part);
    }
  const { rows } = await ctx.db.execute<{ segment: number; part: string; data: Buffer }>(sql`
    select b.segment, b.part, b.data
    from unnest(${toArrayLiteral(ids)}::int[], ${toArrayLiteral(parts)}::bigint[]) requested_block (segment, part)
    join search_blocks b on b.segment = requested_block.segment and b.part = requested_block.part`);
  const rowsBySegment: Rows = new Map(segments.map(({ id }) => [id, new Map()]));
  for (const { segment, part, data } of rows) rowsBySegment.get(segment)?.set(Number(part), data);
  return rowsBySegment;
}

/** Level per slot: 0 absent, 1 anywhere, up to 4 in the title. */
function fieldLevelsOfKey(
  { slots, blocks }: Segment,
  rows: Map<number, Buffer> | undefined,
  key: number,
): Uint8Array | null {
  const part = blockNumberOfKey(key, blocks);
  const block = rows?.get(part);
  const at = block ? findKeyInBlock(block, part * (2 ** 32 / blocks), key) : null;
  if (!block || at === null) return null;
  const data = at < 0 ? rows?.get(LONG_LIST_ROW + key) : block;
  if (!data) return null;
  const levels = new Uint8Array(slots);
  // Postings come in ascending field order, so the best field wins.
  forEachPosting(data, { slots, at: Math.max(0, at) }, (slot, field) => {
    levels[slot] = field + 1;
  });
  return levels;
}

/** Slot-wise maximum; overwrites the first array. */
function maxLevels(a: Uint8Array | null, b: Uint8Array | null): Uint8Array | null {
  if (!a || !b) return a ?? b;
  for (let slot = 0; slot < b.length; slot += 1) if ((b[slot] ?? 0) > (a[slot] ?? 0)) a[slot] = b[slot] ?? 0;
  return a;
}

/** The minimum over all pieces of a form, the maximum over all forms. */
export function fieldLevelsOfWord(
  segment: Segment,
  rows: Map<number, Buffer> | undefined,
  { forms }: QueryWord,
): Uint8Array | null {
  const levelsOfKeys = (keys: readonly number[]) =>
    keys.map((key) => fieldLevelsOfKey(segment, rows, key)).reduce<Uint8Array | null>(maxLevels, null);
  let best: Uint8Array | null = null;
  for (const { text, pieces } of forms) {
    let minLevels: Uint8Array | null = null;
    for (const [at, piece] of pieces.entries()) {
      const levels = levelsOfKeys(piece);
      if (!levels) {
        minLevels = null;
        break;
      }
      if (at === 0 || !minLevels) minLevels = levels;
      else
        for (let slot = 0; slot < levels.length; slot += 1)
          if ((levels[slot] ?? 0) < (minLevels[slot] ?? 0)) minLevels[slot] = levels[slot] ?? 0;
    }
    const pinyinKey = pinyinKeyOf(text);
    best = maxLevels(maxLevels(best, minLevels), pinyinKey === null ? null : levelsOfKeys([pinyinKey]));
  }
  return best;
}
