import { sql } from 'drizzle-orm';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';
import type { IndexEntry } from '../index/build-index-entry.ts';
import { updateSearchMetadata } from '../index/follow-document-changes.ts';
import { countIndexedDocuments, storeMetadata } from '../index/store-metadata.ts';
import type { SearchEngine } from '../search-engine.ts';
import { findDocuments } from './find-documents.ts';
import { mergeSegments } from './merge-segments.ts';
import { SEGMENTS_KEY, segmentKey } from './read-segments.ts';
import { writeSegment } from './write-segment.ts';

/** Writes one segment with all entries. A document leaves its previous slot, which makes that slot empty. */
async function indexEntries(ctx: Context, entries: IndexEntry[]): Promise<() => void> {
  if (entries.length === 0) return () => {};
  const segment = await writeSegment(
    ctx,
    entries.map(({ terms }) => terms),
  );
  await storeMetadata(ctx, entries);
  const previousSegments = await lockDocumentSlots(
    ctx,
    entries.map(({ id }) => id),
  );
  const slots = JSON.stringify(entries.map(({ id }, slot) => ({ id, slot })));
  await ctx.db.execute(sql`
    insert into search_slots (document_id, segment, slot)
    select entry.id, ${segment}, entry.slot
    from jsonb_to_recordset(${slots}::jsonb) entry (id bigint, slot int)
    join search_documents d on d.document_id = entry.id order by entry.id
    on conflict (document_id) do update set segment = excluded.segment, slot = excluded.slot`);
  const names = [SEGMENTS_KEY, ...previousSegments.map(segmentKey)];
  for (const name of names) await notifyInvalidation(ctx.db, name);
  // Invalidates this node's cache directly after the commit; other nodes get the notification.
  return () => {
    for (const name of names) ctx.liveCache.invalidateLocally(name);
  };
}

/** The row locks keep a merge from moving the documents before this transaction ends. */
async function lockDocumentSlots(ctx: Context, ids: number[]): Promise<number[]> {
  const { rows } = await ctx.db.execute<{ segment: number }>(sql`
    select segment from search_slots where document_id = any(${toArrayLiteral(ids)}::bigint[])
    order by document_id for update`);
  return [...new Set(rows.map(({ segment }) => segment))];
}

async function measureIndexSize(ctx: Context) {
  const { rows } = await ctx.db.execute<{ size: string }>(sql`
    select sum(pg_total_relation_size(name::regclass)) as size
    from unnest(array['search_documents', 'search_segments', 'search_blocks', 'search_slots',
      'search_suggestions']) name`);
  return { ...(await countIndexedDocuments(ctx)), size: Number(rows[0]?.size ?? 0) };
}

/** Stores the index in the site's database, whose metadata the consumers of events keep up to date. */
export const postgresEngine: SearchEngine = {
  name: 'postgres',
  identity: async () => 'postgres',
  find: findDocuments,
  put: indexEntries,
  refresh: updateSearchMetadata,
  compact: mergeSegments,
  measure: measureIndexSize,
};
