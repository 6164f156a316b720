import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';
import type { QueueLevel } from './conversion.contract.ts';
import { renditions } from './rendition.table.ts';

/** Live-cache key: announcing it makes the workers check the queue. */
export const CONVERSION_QUEUE = 'conversion-queue';

const MAX_CANDIDATES = 5;

/** Only the foreground pool claims documents that a reader waits for. */
export type ConversionPool = 'foreground' | 'background';

/** Queues a conversion in the caller's transaction and wakes the workers. */
export async function enqueueConversion(ctx: Context, renditionId: number): Promise<void> {
  await ctx.db
    .update(renditions)
    .set({ convert_after: sql`now()`, queue_level: 0, interruptions: 0, skip_pages: [] })
    .where(eq(renditions.id, renditionId));
  await notifyInvalidation(ctx.db, CONVERSION_QUEUE);
}

/** Moves a document that a reader waits for to the front, unless all its pages are ready. */
export async function prioritizeConversion(ctx: Context, renditionId: number): Promise<void> {
  const rows = await ctx.db
    .update(renditions)
    .set({ is_urgent: true, convert_after: sql`coalesce(${renditions.convert_after}, now())` })
    .where(
      and(
        eq(renditions.id, renditionId),
        eq(renditions.is_urgent, false),
        eq(renditions.reason, ''),
        inArray(renditions.state, ['waiting', 'converting', 'readable']),
      ),
    )
    .returning({ id: renditions.id });
  if (rows.length > 0) await notifyInvalidation(ctx.db, CONVERSION_QUEUE);
}

const isClaimable = sql`convert_after <= now() and (lease_until is null or lease_until < now())`;

/**
 * Ids of the documents to claim next, best first: documents that a reader waits for; then small files before large
 * ones, users alternately, and each user's files in the order of upload.
 */
export async function findForegroundCandidates(ctx: Context): Promise<number[]> {
  // Both queries run together: on a busy machine each round trip can keep a free slot idle for seconds.
  const [urgentRows, otherRows] = await Promise.all([
    ctx.db.execute<{ id: string }>(
      sql`select id from ${renditions} where is_urgent and ${isClaimable} order by id limit ${MAX_CANDIDATES}`,
    ),
    findFirstQueuedOfEachUser(ctx, { levels: sql`queue_level = 0`, order: sql`size_class` }),
  ]);
  return urgentRows.rows.length > 0 ? urgentRows.rows.map(({ id }) => Number(id)) : otherRows;
}

/** Ids of new documents of the smallest size class. */
export const findSmallFileCandidates = (ctx: Context): Promise<number[]> =>
  findFirstQueuedOfEachUser(ctx, { levels: sql`queue_level = 0 and size_class = 0`, order: sql`size_class` });

/**
 * Ids of conversions that used up a time slice, of large files that wait behind small ones, then of conversions that used up
 * more.
 */
export async function findBackgroundCandidates(ctx: Context, maxLevel: QueueLevel): Promise<number[]> {
  const [slicedIds, largeFileIds, lastIds] = await Promise.all([
    findFirstQueuedOfEachUser(ctx, { levels: sql`queue_level = 1`, order: sql`queue_level` }),
    findFirstQueuedOfEachUser(ctx, {
      levels: sql`queue_level = 0 and size_class > 0`,
      order: sql`size_class`,
    }),
    findFirstQueuedOfEachUser(ctx, { levels: sql`queue_level between 2 and ${maxLevel}`, order: sql`queue_level` }),
  ]);
  return [...slicedIds, ...largeFileIds, ...lastIds];
}

/**
 * Skips from user to user within each level and size class along renditions_queue_idx, so that the cost depends on the
 * number of users, not of files.
 */
async function findFirstQueuedOfEachUser(
  ctx: Context,
  { levels, order }: { levels: SQL; order: SQL },
): Promise<number[]> {
  const { rows } = await ctx.db.execute<{ id: string }>(sql`
    with recursive groups as (
      (select queue_level, size_class, coalesce(user_id, 0) as owner from ${renditions}
        where convert_after is not null and ${levels}
        order by queue_level, size_class, coalesce(user_id, 0) limit 1)
      union all
      select next.* from groups, lateral (
        select queue_level, size_class, coalesce(user_id, 0) as owner from ${renditions}
        where convert_after is not null and ${levels}
          and (queue_level, size_class, coalesce(user_id, 0))
            > (groups.queue_level, groups.size_class, groups.owner)
        order by queue_level, size_class, coalesce(user_id, 0) limit 1) as next
    )
    select head.id from groups, lateral (
      select id from ${renditions} as candidate
      where convert_after is not null and ${isClaimable}
        and candidate.queue_level = groups.queue_level and candidate.size_class = groups.size_class
        and coalesce(candidate.user_id, 0) = groups.owner
      order by id limit 1) as head
    left join lateral (
      select claimed_at from ${renditions} as earlier_claim
      where coalesce(earlier_claim.user_id, 0) = groups.owner and claimed_at is not null
      order by claimed_at desc limit 1) as last_claim on true
    order by ${order}, last_claim.claimed_at nulls first, head.id
    limit ${MAX_CANDIDATES}`);
  return rows.map(({ id }) => Number(id));
}

/** Whether another document would be claimed if this conversion gave up its slot. */
export async function doOtherConversionsWait(
  ctx: Context,
  { level, pool, isAdditional }: { level: QueueLevel; pool: ConversionPool; isAdditional: boolean },
): Promise<boolean> {
  const waitsForSlot = {
    additional: sql`(queue_level = 0 and size_class = 0)`,
    foreground: sql`(is_urgent or queue_level = 0)`,
    background: sql`(queue_level between 1 and ${Math.max(1, level)}
      or (${level} = 0 and queue_level = 0 and size_class > 0))`,
  }[isAdditional ? 'additional' : pool];
  const [row] = await ctx.db
    .select({ id: renditions.id })
    .from(renditions)
    .where(and(isClaimable, waitsForSlot))
    .limit(1);
  return row !== undefined;
}

/** Whether a new document of a smaller size class than this one waits. */
export async function doSmallerFilesWait(ctx: Context, renditionId: number): Promise<boolean> {
  const sizeClass = sql`(select size_class from ${renditions} as running_rendition where running_rendition.id = ${renditionId})`;
  const [row] = await ctx.db
    .select({ id: renditions.id })
    .from(renditions)
    .where(and(isClaimable, sql`queue_level = 0 and size_class < ${sizeClass}`))
    .limit(1);
  return row !== undefined;
}
