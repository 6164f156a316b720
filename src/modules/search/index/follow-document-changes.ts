import { sql } from 'drizzle-orm';
import type { DocumentEventType } from '#modules/document/document-events.ts';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';
import type { SubjectEvents } from '#platform/server/events/deliver-events.ts';
import { segmentKey } from '../postgres/read-segments.ts';

/** Channel on which queued documents are announced. */
export const SEARCH_INDEX_QUEUE = 'search-index-queue';

/** Events after which the words of a document are indexed again; the other events only change its metadata. */
const wordEvents: ReadonlySet<string> = new Set<DocumentEventType>([
  'created',
  'text-changed',
  'file-changed',
  'reviewed',
  'categorized',
  'conversion-state-changed',
  'converted',
]);

/**
 * Copies the current metadata of indexed documents: who may find them, and the fields for filters and order. Entries of
 * erased documents, and of documents whose text was withdrawn, are deleted.
 */
export async function updateSearchMetadata(ctx: Context, ids: readonly number[]): Promise<void> {
  const changedIds = sql`${sql.param([...ids])}::bigint[]`;
  // Locked in the order of the indexing job: first the entries, then their slots, which a merge would move otherwise.
  const { rows: entries } = await ctx.db.execute(sql`
    select 1 from search_documents where document_id = any(${changedIds}) order by document_id for update`);
  if (entries.length === 0) return;
  const { rows: segments } = await ctx.db.execute<{ segment: number }>(sql`
    select distinct segment from (
      select segment from search_slots where document_id = any(${changedIds})
      order by document_id for share) slots`);
  await ctx.db.execute(sql`
    update search_documents entry set
      scope = search_scope(d.deleted_at, d.visibility, d.status),
      user_id = d.user_id, ext = d.ext, language = d.language, price = d.price, size = d.size,
      created_at = d.created_at, pages = coalesce(r.pages, 0),
      categories = array(select category_id from document_categories where document_id = d.id order by category_id),
      twin_group = coalesce((select twin_group from document_twins where document_id = d.id), 0)
    from documents d left join renditions r on r.id = d.rendition_id
    where d.id = entry.document_id and d.id = any(${changedIds})`);
  await ctx.db.execute(sql`
    update search_suggestions suggestion set scope = search_scope(d.deleted_at, d.visibility, d.status)
    from documents d where d.id = suggestion.document_id and d.id = any(${changedIds})`);
  await ctx.db.execute(sql`
    delete from search_documents entry where document_id = any(${changedIds}) and not exists (
      select 1 from documents d join renditions r on r.id = d.rendition_id
      where d.id = entry.document_id and r.version > 0)`);
  for (const { segment } of segments) await notifyInvalidation(ctx.db, segmentKey(segment));
}

/** Queues changed documents for the job `indexDocuments`, and immediately updates who may find them. */
export async function followDocumentChanges(ctx: Context, changes: readonly SubjectEvents[]): Promise<void> {
  // First the queue: it leaves out documents without text that are not indexed, and the second step deletes entries.
  await queueIndexing(ctx, changes);
  await updateSearchMetadata(
    ctx,
    changes.map(({ id }) => id),
  );
}

async function queueIndexing(ctx: Context, changes: readonly SubjectEvents[]): Promise<void> {
  const isFull = changes.map(({ types }) => types.some((type) => wordEvents.has(type)));
  const { rowCount } = await ctx.db.execute(sql`
    insert into search_index_queue (document_id, is_full)
    select change.id, change.is_full
    from unnest(${sql.param(changes.map(({ id }) => id))}::bigint[], ${sql.param(isFull)}::boolean[]) change (id, is_full)
    left join documents d on d.id = change.id
    where d.id is null or d.conversion_state = 'converted'
      or exists (select 1 from search_documents entry where entry.document_id = change.id)
      -- A running job may be about to index it.
      or exists (select 1 from search_index_queue queue_entry where queue_entry.document_id = change.id)`);
  if (rowCount) await notifyInvalidation(ctx.db, SEARCH_INDEX_QUEUE);
}
