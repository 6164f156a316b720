import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { arrayText } from '#platform/server/db/db.ts';
import { isPinyinField } from '../query/field-weights.ts';
import type { Query, QueryWord } from '../query/parse-query.ts';
import { pinyinTermKey } from '../text/term-keys.ts';
import { blockOf, eachPosting, findWord, OWN_ROW } from './posting-codec.ts';
import type { Segment } from './segments.ts';

/** For each segment the rows its words are in, by number. */
type Rows = Map<number, Map<number, Buffer>>;

const soundOf = (text: string): number | null => (isPinyinField(text) ? pinyinTermKey(text) : null);

function keysOf(words: readonly QueryWord[]): number[] {
  const keys = new Set<number>();
  for (const { forms } of words)
    for (const { text, pieces } of forms) {
      for (const key of pieces.flat()) keys.add(key);
      const sound = soundOf(text);
      if (sound !== null) keys.add(sound);
    }
  return [...keys];
}

/** Everything the segments know of the words of a query, in one question. */
export async function readRows(ctx: Context, { words, unwanted }: Query, segments: readonly Segment[]): Promise<Rows> {
  const keys = keysOf([...words, ...unwanted]);
  const ids: number[] = [];
  const parts: number[] = [];
  for (const { id, blocks } of segments)
    for (const part of new Set(keys.flatMap((key) => [blockOf(key, blocks), OWN_ROW + key]))) {
      ids.push(id);
      parts.push(part);
    }
  const { rows } = await ctx.db.execute<{ segment: number; part: string; data: Buffer }>(sql`
    select b.segment, b.part, b.data
    from unnest(${arrayText(ids)}::int[], ${arrayText(parts)}::bigint[]) asked (segment, part)
    join search_blocks b on b.segment = asked.segment and b.part = asked.part`);
  const found: Rows = new Map(segments.map(({ id }) => [id, new Map()]));
  for (const { segment, part, data } of rows) found.get(segment)?.set(Number(part), data);
  return found;
}

/** How well each slot has a word: 0 not at all, 1 somewhere, to 4 in the title. */
function levelsOfKey(
  { slots, blocks }: Segment,
  rows: Map<number, Buffer> | undefined,
  key: number,
): Uint8Array | null {
  const part = blockOf(key, blocks);
  const block = rows?.get(part);
  const at = block ? findWord(block, part * (2 ** 32 / blocks), key) : null;
  if (!block || at === null) return null;
  const data = at < 0 ? rows?.get(OWN_ROW + key) : block;
  if (!data) return null;
  const levels = new Uint8Array(slots);
  // The better places come last.
  eachPosting(data, { slots, at: Math.max(0, at) }, (slot, place) => {
    levels[slot] = place + 1;
  });
  return levels;
}

/** What of two is better, slot by slot; the first one is written over. */
function bestOf(one: Uint8Array | null, other: Uint8Array | null): Uint8Array | null {
  if (!one || !other) return one ?? other;
  for (let slot = 0; slot < other.length; slot += 1)
    if ((other[slot] ?? 0) > (one[slot] ?? 0)) one[slot] = other[slot] ?? 0;
  return one;
}

/** The least of the levels of all pieces of a form, the best of those of all forms. */
export function levelsOf(
  segment: Segment,
  rows: Map<number, Buffer> | undefined,
  { forms }: QueryWord,
): Uint8Array | null {
  const levelsOfKeys = (keys: readonly number[]) =>
    keys.map((key) => levelsOfKey(segment, rows, key)).reduce<Uint8Array | null>(bestOf, null);
  let best: Uint8Array | null = null;
  for (const { text, pieces } of forms) {
    let all: Uint8Array | null = null;
    for (const [at, piece] of pieces.entries()) {
      const levels = levelsOfKeys(piece);
      if (!levels) {
        all = null;
        break;
      }
      if (at === 0 || !all) all = levels;
      else
        for (let slot = 0; slot < levels.length; slot += 1)
          if ((levels[slot] ?? 0) < (all[slot] ?? 0)) all[slot] = levels[slot] ?? 0;
    }
    const sound = soundOf(text);
    best = bestOf(bestOf(best, all), sound === null ? null : levelsOfKeys([sound]));
  }
  return best;
}
