import { eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { users } from '#modules/account/account.table.ts';
import { categories } from '#modules/category/category.table.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { documentCategories, documents } from '#modules/document/document.table.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { searchErrors } from '../search.contract.ts';
import { searchIndexQueue } from '../search.table.ts';
import { searchEngineOf } from '../search-engine-of.ts';
import { readText } from './document-texts.ts';
import { buildIndexEntry, type IndexableDocument } from './index-entry.ts';
import { storeSuggestions } from './store-suggestions.ts';

/** So many at once: whoever edits one of them waits for the others. Of very many more, so that it goes faster. */
const BATCH = 8;
const LARGE_BATCH = 128;
const MANY = 500;
/** As much text as takes seconds, not minutes: so long the documents of a batch are held. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** A document that cannot be taken up is tried again after this. */
const ASIDE_SECONDS = 300;
/** After so many batches small parts are put together. */
const TIDY_EVERY = 16;

/** Under this name the database announces that documents wait. */
export const SEARCH_INDEX_QUEUE = 'search-wishes';

/** Takes up documents that wait for it, until none is left. */
export const indexDocuments = defineJob({
  name: 'index-documents',
  input: z.object({}),
  timeout: 6 * 3_600,
  // While one merges a large part of the index, the other indexes what was just converted.
  concurrency: 2,
  run: async (ctx: Context, _, { signal }) => {
    await indexQueuedDocuments(ctx, () => signal.aborted);
  },
});

/** Gives how many were taken up. Several may do this at once. */
export async function indexQueuedDocuments(
  ctx: Context,
  isOver: () => boolean = () => false,
  onProgress: (done: number) => void = () => {},
): Promise<number> {
  const engine = searchEngineOf(ctx);
  await wishAllOfAnother(ctx, await engine.identity(ctx));
  let done = 0;
  for (let batch = 1; !isOver(); batch += 1) {
    const taken = await takeUp(ctx);
    if (taken === 0) break;
    done += taken;
    onProgress(done);
    if (batch % TIDY_EVERY === 0) await engine.tidy(ctx, isOver);
  }
  if (done > 0) await engine.tidy(ctx, isOver);
  return done;
}

/** Gives how many. One that cannot be taken up is left aside, so that the others are. */
async function takeUp(ctx: Context): Promise<number> {
  const { rows } = await ctx.db.execute<{ many: boolean }>(
    sql`select exists (select 1 from search_wishes offset ${MANY}) as many`,
  );
  const some = (limit: number) => inRetriedTransaction(ctx, (ctx) => fulfilSome(ctx, limit));
  try {
    const { taken, afterCommit } = await some(rows[0]?.many ? LARGE_BATCH : BATCH);
    afterCommit();
    return taken;
  } catch (error) {
    // Without its engine the search waits; it is the fault of no document.
    if (searchErrors.unavailable.is(error)) throw error;
    ctx.log.warn({ err: error }, 'documents are taken up one by one');
  }
  try {
    const { taken, afterCommit } = await some(1);
    afterCommit();
    return taken;
  } catch (error) {
    if (searchErrors.unavailable.is(error)) throw error;
    const [{ id } = { id: 0 }] = (
      await ctx.db.execute<{ id: string }>(sql`
        update search_wishes set retry_at = now() + make_interval(secs => ${ASIDE_SECONDS})
        where document_id = (select document_id from search_wishes
          where retry_at is null or retry_at <= now()
          order by document_id limit 1 for update skip locked)
        returning document_id as id`)
    ).rows;
    ctx.log.error({ err: error, document: Number(id) }, 'a document was not taken up');
    return id ? 1 : 0;
  }
}

/** Of the documents so many that their texts are not too much for one batch. */
async function fewEnough<W extends { document_id: number }>(ctx: Context, wishes: W[]) {
  const sizes = await ctx.db
    .select({ id: documents.id, size: renditions.text_size })
    .from(documents)
    .innerJoin(renditions, eq(renditions.id, documents.content_id))
    .where(
      inArray(
        documents.id,
        wishes.map(({ document_id }) => document_id),
      ),
    );
  const sizeOf = new Map(sizes.map(({ id, size }) => [id, size]));
  let sum = 0;
  const most = wishes.findIndex(({ document_id }) => {
    sum += sizeOf.get(document_id) ?? 0;
    return sum > BATCH_BYTES;
  });
  return most < 0 ? wishes : wishes.slice(0, Math.max(1, most));
}

/** The wishes are held until they are fulfilled; whoever changes a document meanwhile adds the next. */
async function fulfilSome(ctx: Context, limit: number) {
  // Cutting a long text into words takes a while in which the database hears nothing.
  await ctx.db.execute(sql`set local idle_in_transaction_session_timeout = '10min'`);
  const held = await ctx.db
    .select()
    .from(searchIndexQueue)
    .where(or(isNull(searchIndexQueue.retry_at), lte(searchIndexQueue.retry_at, sql`now()`)))
    .orderBy(searchIndexQueue.document_id)
    .limit(limit)
    .for('update', { skipLocked: true });
  if (held.length === 0) return { taken: 0, afterCommit: () => {} };
  const wishes = await fewEnough(ctx, held);
  const ids = wishes.map(({ document_id }) => document_id);
  const engine = searchEngineOf(ctx);
  const found = await findable(
    ctx,
    wishes.filter(({ is_whole }) => is_whole).map(({ document_id }) => document_id),
  );
  const entries = [];
  for (const each of found) entries.push(await buildIndexEntry(each));
  const afterCommit = await engine.put(ctx, entries);
  await storeSuggestions(ctx, found);
  const isNew = new Set(found.map(({ id }) => id));
  await engine.refresh(
    ctx,
    ids.filter((id) => !isNew.has(id)),
  );
  await ctx.db.delete(searchIndexQueue).where(inArray(searchIndexQueue.document_id, ids));
  return { taken: ids.length, afterCommit };
}

/** Documents that can be read, with all they are found by. */
async function findable(ctx: Context, ids: number[]): Promise<IndexableDocument[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .select({ document: documents, content: renditions, username: users.username })
    .from(documents)
    .innerJoin(users, eq(users.id, documents.user_id))
    .leftJoin(renditions, eq(renditions.id, documents.content_id))
    .where(inArray(documents.id, ids));
  const readable = rows.filter(({ document }) => document.status === documentStatus.converted);
  const named = await ctx.db
    .select({ id: documentCategories.document_id, title: categories.title })
    .from(documentCategories)
    .innerJoin(categories, eq(categories.id, documentCategories.category_id))
    .where(inArray(documentCategories.document_id, ids));
  const categoriesOf = Map.groupBy(named, ({ id }) => id);
  return Promise.all(
    readable.map(async ({ document, content, username }) => ({
      id: document.id,
      title: document.title,
      keywords: document.keywords,
      username,
      description: document.description,
      categories: (categoriesOf.get(document.id) ?? []).map(({ title }) => title),
      text: content ? await readText(ctx, content) : '',
    })),
  );
}

/** Tokenizer version. Bump it when tokenization changes; every document is then re-indexed. */
const CUT_VERSION = 4;

/** An index that is another than last time knows nothing, or something old. */
async function wishAllOfAnother(ctx: Context, identity: string): Promise<void> {
  const name = `${identity} ${CUT_VERSION}`;
  const { rows } = await ctx.db.execute<{ name: string }>(sql`select name from search_index`);
  if (rows[0]?.name === name) return;
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`
      insert into search_index (name) values (${name})
      on conflict (id) do update set name = excluded.name`);
    await queueAllDocuments(ctx);
  });
}

/** Asks for all documents to be taken up anew. Until then they are found as before. */
export async function queueAllDocuments(ctx: Context): Promise<number> {
  const { rowCount } = await ctx.db.execute(sql`
    insert into search_wishes (document_id, is_whole)
    select id, true from documents where status = ${documentStatus.converted} order by id
    on conflict (document_id) do update set is_whole = true`);
  return rowCount ?? 0;
}
