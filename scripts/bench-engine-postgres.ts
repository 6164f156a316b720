/** The site's index in PostgreSQL for `bench:search-engines`, filled with the same cached terms as the other engines. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { postgresEngine } from '#modules/search/postgres/postgres-engine.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import type { BenchEngine } from './bench-engine.ts';

/** As in the job that indexes documents. */
const COMPACT_EVERY_BATCHES = 16;

/** Waits until merged segments are deleted. Space that PostgreSQL has not released counts as part of the index. */
export async function deleteRetiredSegments(ctx: Context, pool: pg.Pool): Promise<void> {
  for (;;) {
    await sleep(1_000);
    await postgresEngine.compact(ctx);
    const { rows } = await pool.query('select from search_segments where retired_at is not null limit 1');
    if (rows.length === 0) break;
  }
  await pool.query('vacuum search_blocks');
}

const tableParts: Record<string, string> = {
  search_blocks: 'terms',
  search_segments: 'terms',
  search_slots: 'metadata',
  search_documents: 'metadata',
};

/** `isEmptied`: starts with an empty index, so that the rate of filling it can be measured. */
export async function openPostgres(
  { ctx, pool }: { ctx: Context; pool: pg.Pool },
  { isEmptied }: { isEmptied: boolean },
): Promise<BenchEngine> {
  if (isEmptied) await pool.query('truncate search_segments, search_blocks, search_slots, search_documents');
  let batchCount = 0;
  return {
    hasPositions: false,
    countDocuments: async () => (await postgresEngine.measure(ctx)).documents,
    async put(documents) {
      const entries = documents.map(({ entry }) => entry);
      const afterCommit = await inTransaction(ctx, (ctx) => postgresEngine.put(ctx, entries));
      afterCommit();
      batchCount += 1;
      if (batchCount % COMPACT_EVERY_BATCHES === 0) await postgresEngine.compact(ctx);
    },
    compact: () => postgresEngine.compact(ctx),
    find: (request, now) => postgresEngine.find({ ...ctx, now: () => new Date(now) }, request),
    async setPrice(id, price) {
      await pool.query('update documents set price = $2 where id = $1', [id, price]);
      await inTransaction(ctx, (ctx) => postgresEngine.refresh(ctx, [id]));
    },
    async measureSizes() {
      await deleteRetiredSegments(ctx, pool);
      const { rows } = await pool.query<{ name: string; size: string }>(
        'select name, pg_total_relation_size(name::regclass) as size from unnest($1::text[]) name',
        [Object.keys(tableParts)],
      );
      const sizes: Record<string, number> = {};
      for (const { name, size } of rows) {
        const part = tableParts[name] ?? name;
        sizes[part] = (sizes[part] ?? 0) + Number(size);
      }
      return sizes;
    },
    close: async () => {},
  };
}
