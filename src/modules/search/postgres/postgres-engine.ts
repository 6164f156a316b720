import { sql } from 'drizzle-orm';
import { announceChange } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { arrayText } from '#platform/server/db/db.ts';
import type { IndexEntry } from '../index/index-entry.ts';
import { countMetadata, storeMetadata } from '../index/store-metadata.ts';
import type { SearchEngine } from '../search-engine.ts';
import { findDocuments } from './find-documents.ts';
import { mergeSegments } from './merge-segments.ts';
import { SEGMENTS, segmentName } from './segments.ts';
import { writeSegment } from './write-segment.ts';

/** One segment of all of them; where a document was before, nothing is found any more. */
async function put(ctx: Context, entries: IndexEntry[]): Promise<() => void> {
  if (entries.length === 0) return () => {};
  const segment = await writeSegment(
    ctx,
    entries.map(({ terms }) => terms),
  );
  await storeMetadata(ctx, entries);
  const left = await segmentsOf(
    ctx,
    entries.map(({ id }) => id),
  );
  const slots = JSON.stringify(entries.map(({ id }, slot) => ({ id, slot })));
  await ctx.db.execute(sql`
    insert into search_slots (document_id, segment, slot)
    select made.id, ${segment}, made.slot
    from jsonb_to_recordset(${slots}::jsonb) made (id bigint, slot int)
    join search_documents d on d.document_id = made.id order by made.id
    on conflict (document_id) do update set segment = excluded.segment, slot = excluded.slot`);
  const names = [SEGMENTS, ...left.map(segmentName)];
  for (const name of names) await announceChange(ctx.db, name);
  // This node knows with the commit, not only when it hears of it.
  return () => {
    for (const name of names) ctx.live.forget(name);
  };
}

/** Where documents are. No merge takes them elsewhere before this transaction has ended. */
async function segmentsOf(ctx: Context, ids: number[]): Promise<number[]> {
  const { rows } = await ctx.db.execute<{ segment: number }>(sql`
    select segment from search_slots where document_id = any(${arrayText(ids)}::bigint[])
    order by document_id for update`);
  return [...new Set(rows.map(({ segment }) => segment))];
}

async function measure(ctx: Context) {
  const { rows } = await ctx.db.execute<{ size: string }>(sql`
    select sum(pg_total_relation_size(name::regclass)) as size
    from unnest(array['search_documents', 'search_segments', 'search_blocks', 'search_slots',
      'search_suggestions']) name`);
  return { ...(await countMetadata(ctx)), size: Number(rows[0]?.size ?? 0) };
}

/** In the database of the site. What is known besides texts its triggers keep, and erase. */
export const postgresEngine: SearchEngine = {
  name: 'postgres',
  identity: async () => 'postgres',
  find: findDocuments,
  put,
  refresh: async () => {},
  tidy: mergeSegments,
  measure,
};
