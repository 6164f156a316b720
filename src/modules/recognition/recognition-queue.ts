import { and, asc, desc, eq, gte, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { categories } from '#modules/category/category.table.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documentCategories, documents } from '#modules/document/document.table.ts';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { createRowLease, renewLease } from '#platform/server/db/row-lease.ts';
import { recognitionTasks, recognizedPages } from './recognition.table.ts';

/** Live-cache key: announcing it makes the workers check the queue. */
export const RECOGNITION_QUEUE = 'recognition-queue';

/** See decision 0023 about renewals on an overloaded machine. */
const LEASE_SECONDS = 40;
const MAX_CANDIDATES = 5;

export type RecognitionTask = typeof recognitionTasks.$inferSelect;
type TaskChange = Omit<PgUpdateSetSource<typeof recognitionTasks>, 'rendition_id' | 'lease_token' | 'lease_until'>;

/** Another worker has taken over the task. */
export class RecognitionLeaseLost extends Error {
  override name = 'RecognitionLeaseLost';
}

export type RecognitionLease = {
  task: RecognitionTask;
  /** Throws `RecognitionLeaseLost` when another worker holds the lease. */
  change(change: TaskChange): Promise<void>;
  release(change?: TaskChange): Promise<void>;
};

/** Whether a category of a document, or one above it, excludes documents from recognition. */
const isExcludedByCategory = sql`exists (select 1 from ${documentCategories}
  join ${categories} on ${categories.id} = ${documentCategories.category_id}
  where ${documentCategories.document_id} = ${documents.id} and not ${categories.enable_ocr})`;

/** Whether a document that is not deleted uses the rendition and its categories allow recognition. */
const isWantedByDocument = sql`exists (select 1 from ${documents}
  where ${documents.rendition_id} = ${recognitionTasks.rendition_id} and ${documents.deleted_at} is null
    and not ${isExcludedByCategory})`;

/** Tasks that a worker may take now. */
const isClaimable: SQL = sql`${and(
  eq(recognitionTasks.state, 'waiting'),
  or(isNull(recognitionTasks.retry_at), lte(recognitionTasks.retry_at, sql`now()`)),
  eq(renditions.state, 'ready'),
  isWantedByDocument,
)}`;

/** Takes the next task: those with the fewest steps first, then the newest. Null if none waits. */
export async function takeNextTask(ctx: Context, onLost: () => void): Promise<RecognitionLease | null> {
  const lease = createRowLease(recognitionTasks, LEASE_SECONDS);
  const candidates = await ctx.db
    .select({ id: recognitionTasks.rendition_id })
    .from(recognitionTasks)
    .innerJoin(renditions, eq(renditions.id, recognitionTasks.rendition_id))
    .where(and(isClaimable, lease.isFree))
    .orderBy(asc(recognitionTasks.steps), desc(recognitionTasks.rendition_id))
    .limit(MAX_CANDIDATES);
  for (const { id } of candidates) {
    const [task] = await ctx.db
      .update(recognitionTasks)
      .set(lease.takenValues)
      .where(and(eq(recognitionTasks.rendition_id, id), eq(recognitionTasks.state, 'waiting'), lease.isFree))
      .returning();
    if (task) return holdTask(ctx, task, lease, onLost);
  }
  return null;
}

function holdTask(
  ctx: Context,
  task: RecognitionTask,
  lease: ReturnType<typeof createRowLease>,
  onLost: () => void,
): RecognitionLease {
  const update = async (values: PgUpdateSetSource<typeof recognitionTasks>) => {
    const rows = await ctx.db
      .update(recognitionTasks)
      .set(values)
      .where(and(eq(recognitionTasks.rendition_id, task.rendition_id), lease.isHeld))
      .returning({ id: recognitionTasks.rendition_id });
    if (rows.length > 0) return;
    onLost();
    throw new RecognitionLeaseLost(`recognition of rendition ${task.rendition_id} was taken over`);
  };
  const stopRenewal = renewLease(
    () => update(lease.renewedValues),
    (error) => {
      if (!(error instanceof RecognitionLeaseLost))
        ctx.log.warn({ err: error, rendition: task.rendition_id }, 'could not renew a lease of text recognition');
    },
  );
  return {
    task,
    change: update,
    async release(change = {}) {
      stopRenewal();
      await update({ ...change, ...lease.releasedValues });
    },
  };
}

/** Pages recognized since the start of the day in the time zone of the site. */
export async function countPagesToday(ctx: Context): Promise<number> {
  const timeZone = await ctx.timeZone();
  const [row] = await ctx.db
    .select({ total: sql<number>`count(*)::int` })
    .from(recognizedPages)
    .where(gte(recognizedPages.recognized_at, sql`date_trunc('day', now(), ${timeZone})`));
  return row?.total ?? 0;
}

/** Queues renditions with scanned pages, or of which that is unknown, unless they have a task. */
export async function queueRenditions(ctx: Context, condition: SQL | undefined): Promise<number> {
  const { rows } = await ctx.db.execute(sql`
    insert into ${recognitionTasks} (rendition_id)
    select ${renditions.id} from ${renditions}
    where ${and(eq(renditions.state, 'ready'), eq(renditions.view, 'pages'), condition)}
    order by ${renditions.id}
    on conflict do nothing returning rendition_id`);
  if (rows.length > 0) await notifyInvalidation(ctx.db, RECOGNITION_QUEUE);
  return rows.length;
}

/** Queues tasks again. `again`: pages that were recognized before are recognized again. */
export async function requeueTasks(
  ctx: Context,
  { ids, state, again }: { ids?: readonly number[]; state?: 'done' | 'failed'; again: boolean },
): Promise<number> {
  const rows = await ctx.db
    .update(recognitionTasks)
    .set({
      state: 'waiting',
      reason: '',
      attempts: 0,
      retry_at: null,
      ...(again && { requested_at: sql`now()`, steps: 0 }),
    })
    .where(and(ids && inArray(recognitionTasks.rendition_id, [...ids]), state && eq(recognitionTasks.state, state)))
    .returning({ id: recognitionTasks.rendition_id });
  if (rows.length > 0) await notifyInvalidation(ctx.db, RECOGNITION_QUEUE);
  return rows.length;
}
