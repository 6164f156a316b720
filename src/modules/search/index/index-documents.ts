import { eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { users } from '#modules/account/account.table.ts';
import { categories } from '#modules/category/category.table.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { documentCategories, documents } from '#modules/document/document.table.ts';
import { readRenditionText } from '#modules/recognition/read-rendition-text.ts';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { searchErrors } from '../search.contract.ts';
import { searchIndexQueue } from '../search.table.ts';
import { selectSearchEngine } from '../select-search-engine.ts';
import { buildIndexEntry, type IndexableDocument } from './build-index-entry.ts';

import { storeSuggestions } from './store-suggestions.ts';

/** An edit of a document waits for the batch that contains it, so batches are small; a long queue uses large ones. */
const BATCH_SIZE = 8;
const LARGE_BATCH_SIZE = 128;
const LARGE_QUEUE_SIZE = 500;
/** Limits the time that a batch holds its row locks to seconds. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** Delay before a document that failed to index is tried again. */
const RETRY_DELAY_SECONDS = 300;
/** The engine compacts its index after this many batches. */
const COMPACT_EVERY_BATCHES = 16;

/** Announced to all nodes when other documents can be found than before. */
export const SEARCH_INDEX_KEY = 'search-index';

/** Indexes queued documents until the queue is empty. */
export const indexDocuments = defineJob({
  name: 'index-documents',
  input: z.object({}),
  timeoutSeconds: 6 * 3_600,
  // While one job merges a large part of the index, the other indexes newly converted documents.
  concurrency: 2,
  run: async (ctx: Context, _, { signal }) => {
    await indexQueuedDocuments(ctx, () => signal.aborted);
  },
});

/** Returns the number of indexed documents. Several processes may run this concurrently. */
export async function indexQueuedDocuments(
  ctx: Context,
  isAborted: () => boolean = () => false,
  onProgress: (indexedCount: number) => void = () => {},
): Promise<number> {
  const engine = selectSearchEngine(ctx);
  await queueAllIfIndexChanged(ctx, await engine.identity(ctx));
  let indexedCount = 0;
  for (let batch = 1; !isAborted(); batch += 1) {
    const count = await indexBatch(ctx);
    if (count === 0) break;
    indexedCount += count;
    onProgress(indexedCount);
    if (batch % COMPACT_EVERY_BATCHES === 0) await engine.compact(ctx, isAborted);
  }
  if (indexedCount > 0) await engine.compact(ctx, isAborted);
  return indexedCount;
}

/**
 * Returns the number of processed documents. A document that fails is postponed, so that it does not block the others.
 */
async function indexBatch(ctx: Context): Promise<number> {
  const { rows } = await ctx.db.execute<{ is_large: boolean }>(
    sql`select exists (select 1 from search_index_queue offset ${LARGE_QUEUE_SIZE}) as is_large`,
  );
  const indexSome = (limit: number) => inRetriedTransaction(ctx, (ctx) => indexQueuedBatch(ctx, limit));
  try {
    const { count, afterCommit } = await indexSome(rows[0]?.is_large ? LARGE_BATCH_SIZE : BATCH_SIZE);
    afterCommit();
    return count;
  } catch (error) {
    // An unavailable engine is not the fault of a document: none is postponed.
    if (searchErrors.unavailable.is(error)) throw error;
    ctx.log.warn({ err: error }, 'indexing a batch failed, retrying documents one by one');
  }
  try {
    const { count, afterCommit } = await indexSome(1);
    afterCommit();
    return count;
  } catch (error) {
    if (searchErrors.unavailable.is(error)) throw error;
    const [{ id } = { id: 0 }] = (
      await ctx.db.execute<{ id: string }>(sql`
        update search_index_queue set retry_at = now() + make_interval(secs => ${RETRY_DELAY_SECONDS})
        where id in (select id from search_index_queue
          where document_id = (select document_id from search_index_queue
            where retry_at is null or retry_at <= now()
            order by id limit 1 for update skip locked)
          for update skip locked)
        returning document_id as id`)
    ).rows;
    ctx.log.error({ err: error, document: Number(id) }, 'indexing a document failed');
    return id ? 1 : 0;
  }
}

/** As many of the documents as fit into MAX_BATCH_BYTES of text, at least one. */
async function limitBatchByTextSize<Entry extends { document_id: number }>(ctx: Context, entries: Entry[]) {
  const sizes = await ctx.db
    .select({ id: documents.id, size: renditions.text_size })
    .from(documents)
    .innerJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(
      inArray(
        documents.id,
        entries.map(({ document_id }) => document_id),
      ),
    );
  const sizeOf = new Map(sizes.map(({ id, size }) => [id, size]));
  let sum = 0;
  const firstTooMany = entries.findIndex(({ document_id }) => {
    sum += sizeOf.get(document_id) ?? 0;
    return sum > MAX_BATCH_BYTES;
  });
  return firstTooMany < 0 ? entries : entries.slice(0, Math.max(1, firstTooMany));
}

type QueuedRow = typeof searchIndexQueue.$inferSelect;

/**
 * Locks due rows of documents that no other process indexes, and all other rows of these documents. An advisory lock for
 * each document, held until the commit, keeps an older version from replacing a newer one.
 */
async function lockQueuedRows(ctx: Context, limit: number): Promise<QueuedRow[]> {
  const dueRows = await ctx.db
    .select()
    .from(searchIndexQueue)
    .where(or(isNull(searchIndexQueue.retry_at), lte(searchIndexQueue.retry_at, sql`now()`)))
    .orderBy(searchIndexQueue.id)
    .limit(limit)
    .for('update', { skipLocked: true });
  if (dueRows.length === 0) return [];
  const batch = await limitBatchByTextSize(ctx, dueRows);
  const batchIds = [...new Set(batch.map(({ document_id }) => document_id))];
  const { rows: lockedDocuments } = await ctx.db.execute<{ id: string }>(sql`
    select id from unnest(${sql.param(batchIds)}::bigint[]) id
    where pg_try_advisory_xact_lock(hashtextextended('search ' || id, 0))`);
  const ids = lockedDocuments.map(({ id }) => Number(id));
  if (ids.length === 0) return [];
  return ctx.db
    .select()
    .from(searchIndexQueue)
    .where(inArray(searchIndexQueue.document_id, ids))
    .for('update', { skipLocked: true });
}

/** A change of a document meanwhile adds another row, so that the document is indexed again. */
async function indexQueuedBatch(ctx: Context, limit: number) {
  // Tokenizing a long text takes long, during which the transaction is idle.
  await ctx.db.execute(sql`set local idle_in_transaction_session_timeout = '10min'`);
  const queuedRows = await lockQueuedRows(ctx, limit);
  if (queuedRows.length === 0) return { count: 0, afterCommit: () => {} };
  const ids = [...new Set(queuedRows.map(({ document_id }) => document_id))].sort((a, b) => a - b);
  const changedIds = new Set(queuedRows.filter(({ is_full }) => is_full).map(({ document_id }) => document_id));
  const engine = selectSearchEngine(ctx);
  const indexableDocuments = await readIndexableDocuments(ctx, [...changedIds]);
  const entries = [];
  for (const each of indexableDocuments) entries.push(await buildIndexEntry(each));
  const afterCommit = await engine.put(ctx, entries);
  await storeSuggestions(ctx, indexableDocuments);
  const indexedIds = new Set(indexableDocuments.map(({ id }) => id));
  await engine.refresh(
    ctx,
    ids.filter((id) => !indexedIds.has(id)),
  );
  await ctx.db.delete(searchIndexQueue).where(
    inArray(
      searchIndexQueue.id,
      queuedRows.map(({ id }) => id),
    ),
  );
  await notifyInvalidation(ctx.db, SEARCH_INDEX_KEY);
  return { count: ids.length, afterCommit };
}

/** Converted documents with all their searchable fields. */
async function readIndexableDocuments(ctx: Context, ids: number[]): Promise<IndexableDocument[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .select({ document: documents, rendition: renditions, username: users.username })
    .from(documents)
    .innerJoin(users, eq(users.id, documents.user_id))
    .leftJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(inArray(documents.id, ids));
  const convertedRows = rows.filter(({ document }) => document.status === documentStatus.converted);
  const categoryTitles = await ctx.db
    .select({ id: documentCategories.document_id, title: categories.title })
    .from(documentCategories)
    .innerJoin(categories, eq(categories.id, documentCategories.category_id))
    .where(inArray(documentCategories.document_id, ids));
  const categoriesOf = Map.groupBy(categoryTitles, ({ id }) => id);
  return Promise.all(
    convertedRows.map(async ({ document, rendition, username }) => ({
      id: document.id,
      title: document.title,
      keywords: document.keywords,
      username,
      description: document.description,
      categories: (categoriesOf.get(document.id) ?? []).map(({ title }) => title),
      text: rendition ? await readRenditionText(ctx, rendition) : '',
    })),
  );
}

/** Tokenizer version. Bump it when tokenization changes; every document is then re-indexed. */
const TOKENIZER_VERSION = 5;

/** A new index is empty, and an old tokenizer version is outdated: both need a full re-index. */
async function queueAllIfIndexChanged(ctx: Context, identity: string): Promise<void> {
  const name = `${identity} ${TOKENIZER_VERSION}`;
  const { rows } = await ctx.db.execute<{ name: string }>(sql`select name from search_index`);
  if (rows[0]?.name === name) return;
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`
      insert into search_index (name) values (${name})
      on conflict (id) do update set name = excluded.name`);
    await queueAllDocuments(ctx);
  });
}

/** Queues all documents for re-indexing. Until then searches use the existing entries. */
export const queueAllDocuments = (ctx: Context): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    // Rows that are being processed are locked and stay, like those of documents that leave the index.
    await ctx.db.execute(sql`
      delete from search_index_queue where id in (
        select queue_entry.id from search_index_queue queue_entry
        join documents d on d.id = queue_entry.document_id and d.status = ${documentStatus.converted}
        for update of queue_entry skip locked)`);
    const { rowCount } = await ctx.db.execute(sql`
      insert into search_index_queue (document_id, is_full)
      select id, true from documents where status = ${documentStatus.converted} order by id`);
    return rowCount ?? 0;
  });
