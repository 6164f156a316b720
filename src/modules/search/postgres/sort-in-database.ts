import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';
import type { SearchSort } from '../search.contract.ts';

const sorts = ['score', 'view_count', 'download_count', 'favorite_count'] as const;
/** Sort orders by counters that the index does not hold. */
export type DatabaseSort = (typeof sorts)[number];
export const isDatabaseSort = (sort: SearchSort): sort is DatabaseSort => (sorts as readonly string[]).includes(sort);

export const DEFAULT_LIMITS = {
  /** Up to this many ids are sorted directly. */
  maxSorted: 5_000,
  /** For more ids, documents are read in sort order in batches of this size. */
  batchSize: 500,
  /** After this many batches sorting all ids costs less. */
  maxBatches: 20,
};

export async function sortInDatabase(
  ctx: Context,
  { ids, sort, limit }: { ids: readonly number[]; sort: DatabaseSort; limit: number },
  { maxSorted, batchSize, maxBatches } = DEFAULT_LIMITS,
): Promise<number[]> {
  const readIds = async (from: ReturnType<typeof sql>, count: number, offset = 0) => {
    const { rows } = await ctx.db.execute<{ id: string }>(sql`
      select id from documents where ${from}
      order by ${sql.raw(sort)} desc, id desc limit ${count} offset ${offset}`);
    return rows.map(({ id }) => Number(id));
  };
  const sortAll = () => readIds(sql`id = any(${toArrayLiteral(ids)}::bigint[])`, limit);
  if (ids.length <= maxSorted || sort === 'score') return sortAll();
  const requestedIds = new Set(ids);
  // A set, because a counter that changes meanwhile may move a row into the next batch.
  const sortedIds = new Set<number>();
  for (let batch = 0; sortedIds.size < limit && batch < maxBatches; batch += 1) {
    const next = await readIds(sql`deleted_at is null`, batchSize, batch * batchSize);
    for (const id of next) if (requestedIds.has(id)) sortedIds.add(id);
    if (next.length < batchSize) break;
  }
  // If few of the top documents match, the others lie too far down to reach in batches.
  return sortedIds.size < Math.min(limit, ids.length) ? sortAll() : [...sortedIds].slice(0, limit);
}
