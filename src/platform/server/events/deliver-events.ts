import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Context, inTransaction } from '../context.ts';
import { type EventSubject, events } from './event.table.ts';
import { EVENTS_NOTIFICATION } from './record-events.ts';

const BATCH_SIZE = 200;
const RETRY_BATCH_SIZE = 50;
/** Time for handling subjects one by one after they failed together. */
const SINGLE_DELIVERIES_MS = 3_000;
/** Finds events of a process that died, and failed ones whose time has come. */
const POLL_MS = 1_000;
const MAX_RETRY_SECONDS = 300;
const LOCK_TIMEOUT_MS = 1_000;

/** The events of one document, rendition or category, oldest first. */
export type SubjectEvents = { id: number; types: string[] };

/**
 * A consumer follows changes of its subjects. `handle` runs in the transaction that deletes the events, so that a killed
 * process leaves either both or none. It may be called again for events that it has handled, and must be quick: slow work
 * is a job that it sends.
 */
export type EventConsumer = {
  name: string;
  subject: EventSubject;
  handle(ctx: Context, changes: SubjectEvents[]): Promise<void>;
};

type EventRow = typeof events.$inferSelect;

/** Delivers due events until there are none. Returns the number of subjects whose events were delivered. */
export async function deliverEvents(
  ctx: Context,
  consumers: readonly EventConsumer[],
  isStopped: () => boolean = () => false,
): Promise<number> {
  const kinds = [...new Set(consumers.map(({ subject }) => subject))];
  for (let total = 0; ; ) {
    let count = 0;
    // One transaction for each kind of subject, so that locks of one are not held while another is handled.
    for (const subject of await findKindsWithDueEvents(ctx, kinds))
      if (!isStopped()) {
        const kindConsumers = consumers.filter((consumer) => consumer.subject === subject);
        count += await inTransaction(ctx, (ctx) => deliverBatch(ctx, subject, kindConsumers));
      }
    if (count === 0) return total;
    total += count;
  }
}

/** One statement without a transaction, because mostly no event is due. */
async function findKindsWithDueEvents(ctx: Context, kinds: EventSubject[]): Promise<EventSubject[]> {
  const { rows } = await ctx.db.execute<{ subject: EventSubject }>(sql`
    select subject from unnest(${sql.param(kinds)}::text[]) subject
    where exists (select from ${events} event where event.subject = subject.subject and retry_at is null)
      or exists (select from ${events} event where event.subject = subject.subject and retry_at <= now())`);
  return rows.map(({ subject }) => subject);
}

async function deliverBatch(ctx: Context, subject: EventSubject, consumers: readonly EventConsumer[]): Promise<number> {
  // A consumer that waits longer for another transaction fails and gets the event again, so that other subjects go on.
  await ctx.db.execute(sql`set local lock_timeout = ${sql.raw(`'${LOCK_TIMEOUT_MS}ms'`)}`);
  const rows = await lockDueEvents(ctx, subject);
  const failedNames = new Map<number, string[]>();
  for (const consumer of consumers) {
    const pendingRows = rows.filter(({ handled_by }) => !handled_by.includes(consumer.name));
    for (const id of await findFailedSubjectIds(ctx, consumer, pendingRows))
      for (const row of pendingRows.filter(({ subject_id }) => subject_id === id))
        failedNames.set(row.id, [...(failedNames.get(row.id) ?? []), consumer.name]);
  }
  const deliveredIds = rows.filter(({ id }) => !failedNames.has(id)).map(({ id }) => id);
  if (deliveredIds.length > 0) await ctx.db.delete(events).where(inArray(events.id, deliveredIds));
  for (const row of rows.filter(({ id }) => failedNames.has(id)))
    await scheduleRetry(ctx, row, consumers, failedNames.get(row.id) ?? []);
  return new Set(rows.map(({ subject_id }) => subject_id)).size;
}

/**
 * Locks the subjects with the oldest due events that no other node delivers, and returns all their events. The locks keep
 * the events of one subject in order; other rows of the table are not locked. Failed events have their own share of a
 * batch, so that they cannot delay new ones.
 */
async function lockDueEvents(ctx: Context, subject: EventSubject): Promise<EventRow[]> {
  const { rows: lockedRows } = await ctx.db.execute<{ id: string }>(sql`
    with oldest as materialized (
      (select subject_id from ${events}
        where subject = ${subject} and retry_at is null order by id limit ${BATCH_SIZE})
      union all
      (select subject_id from ${events}
        where subject = ${subject} and retry_at <= now() order by retry_at limit ${RETRY_BATCH_SIZE})),
    due as materialized (select distinct subject_id from oldest)
    select subject_id as id from due
    where pg_try_advisory_xact_lock(hashtextextended('events ' || ${subject}::text || ' ' || subject_id, 0))`);
  if (lockedRows.length === 0) return [];
  const ids = lockedRows.map(({ id }) => Number(id));
  return ctx.db
    .select()
    .from(events)
    .where(and(eq(events.subject, subject), inArray(events.subject_id, ids)))
    .orderBy(events.id);
}

/**
 * Handles all subjects together, and one by one if that fails, so that one subject cannot hold up the others. What does not
 * fit into the time limit counts as failed, so that the batch holds its locks only for seconds.
 */
async function findFailedSubjectIds(ctx: Context, consumer: EventConsumer, rows: EventRow[]): Promise<number[]> {
  const changes = [...Map.groupBy(rows, ({ subject_id }) => subject_id)].map(([id, ofSubject]) => ({
    id,
    types: ofSubject.map(({ type }) => type),
  }));
  if (changes.length === 0 || (await isHandled(ctx, consumer, changes))) return [];
  const failedIds: number[] = [];
  const deadline = performance.now() + SINGLE_DELIVERIES_MS;
  for (const change of changes)
    if (performance.now() > deadline || !(await isHandled(ctx, consumer, [change]))) failedIds.push(change.id);
  return failedIds;
}

/** In a savepoint: a failed consumer undoes only its own changes. */
async function isHandled(ctx: Context, consumer: EventConsumer, changes: SubjectEvents[]): Promise<boolean> {
  try {
    await inTransaction(ctx, (ctx) => consumer.handle(ctx, changes));
    return true;
  } catch (error) {
    const ids = changes.map(({ id }) => id);
    ctx.log.warn({ err: error, consumer: consumer.name, subject: consumer.subject, ids }, 'event consumer failed');
    // Throws if the connection is lost: then the batch fails, not the consumer.
    await ctx.db.execute(sql`select 1`);
    return false;
  }
}

async function scheduleRetry(
  ctx: Context,
  { id, attempts }: EventRow,
  consumers: readonly EventConsumer[],
  failedNames: string[],
): Promise<void> {
  const handled_by = consumers.map(({ name }) => name).filter((name) => !failedNames.includes(name));
  const delaySeconds = Math.min(2 ** attempts, MAX_RETRY_SECONDS);
  await ctx.db
    .update(events)
    .set({
      handled_by,
      attempts: attempts + 1,
      retry_at: sql`clock_timestamp() + make_interval(secs => ${delaySeconds})`,
    })
    .where(eq(events.id, id));
}

/** Delivers events when a transaction announces them, and at an interval. */
export function startEventDelivery(ctx: Context, consumers: readonly EventConsumer[]): { stop(): Promise<void> } {
  let delivery: Promise<void> | null = null;
  let isRequested = false;
  let isStopped = false;
  const deliver = () => {
    isRequested = true;
    if (delivery || isStopped) return;
    delivery = (async () => {
      while (isRequested && !isStopped) {
        isRequested = false;
        await deliverEvents(ctx, consumers, () => isStopped);
      }
    })()
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not deliver events, they are delivered later'))
      .finally(() => {
        delivery = null;
      });
  };
  const stopListening = ctx.liveCache.onInvalidation(EVENTS_NOTIFICATION, deliver);
  const timer = setInterval(deliver, POLL_MS);
  deliver();
  return {
    async stop() {
      isStopped = true;
      stopListening();
      clearInterval(timer);
      await delivery;
    },
  };
}
