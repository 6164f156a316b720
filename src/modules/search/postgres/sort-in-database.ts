import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { arrayText } from '#platform/server/db/db.ts';
import type { SearchSort } from '../search.contract.ts';

const sorts = ['score', 'view_count', 'download_count', 'favorite_count'] as const;
/** Orders that only the documents themselves know. */
export type DatabaseSort = (typeof sorts)[number];
export const isDatabaseSort = (sort: SearchSort): sort is DatabaseSort => (sorts as readonly string[]).includes(sort);

export const BOUNDS = {
  /** So few are sorted. */
  few: 5_000,
  /** Of more, documents are read in that order, so many at a time. */
  walked: 500,
  /** After so many steps sorting them all costs less. */
  steps: 20,
};

/** The first of what was found, in an order of the database. */
export async function sortInDatabase(
  ctx: Context,
  { ids, sort, limit }: { ids: readonly number[]; sort: DatabaseSort; limit: number },
  { few, walked, steps } = BOUNDS,
): Promise<number[]> {
  const read = async (from: ReturnType<typeof sql>, most: number, offset = 0) => {
    const { rows } = await ctx.db.execute<{ id: string }>(sql`
      select id from documents where ${from}
      order by ${sql.raw(sort)} desc, id desc limit ${most} offset ${offset}`);
    return rows.map(({ id }) => Number(id));
  };
  const sorted = () => read(sql`id = any(${arrayText(ids)}::bigint[])`, limit);
  if (ids.length <= few || sort === 'score') return sorted();
  const wanted = new Set(ids);
  // What is counted meanwhile may move a row from one step to the next.
  const found = new Set<number>();
  for (let step = 0; found.size < limit && step < steps; step += 1) {
    const next = await read(sql`deleted_at is null`, walked, step * walked);
    for (const id of next) if (wanted.has(id)) found.add(id);
    if (next.length < walked) break;
  }
  // Where few of the first have the words, those that do lie far behind.
  return found.size < Math.min(limit, ids.length) ? sorted() : [...found].slice(0, limit);
}
