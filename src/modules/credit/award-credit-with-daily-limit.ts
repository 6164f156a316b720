import { and, eq, lt, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { dailyAwards } from './credit.table.ts';
import { awardCredit, type CreditEvent } from './credit.ts';
import { siteDay } from './site-day.ts';

/** Old counters stay for requests that cross midnight and for nodes with different clocks. */
const COUNTER_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

type DailyCounter = { user_id: number; reason: string; day: number };

const matchesCounter = ({ user_id, reason, day }: DailyCounter) =>
  and(eq(dailyAwards.user_id, user_id), eq(dailyAwards.reason, reason), eq(dailyAwards.day, day));

/**
 * Awards credit for the first `limit` events of this reason and user on the day of `eventTime` (default: now). Returns the
 * awarded amount: 0 when the limit is reached or this event was already awarded.
 */
export async function awardCreditWithDailyLimit(
  ctx: Context,
  userId: number,
  amount: number,
  { limit, eventTime, ...event }: CreditEvent & { limit: number; eventTime?: Date },
): Promise<number> {
  if (amount === 0 || limit === 0) return 0;
  const counter = { user_id: userId, reason: event.reason, day: await siteDay(ctx, eventTime) };
  // A reached limit needs no lock, because the counter never decreases.
  const [existingCounter] = await ctx.db.select().from(dailyAwards).where(matchesCounter(counter));
  if (existingCounter && existingCounter.count >= limit) return 0;
  return inRetriedTransaction(ctx, async (ctx) => {
    await lockUser(ctx, userId);
    if ((await lockCounter(ctx, counter)) >= limit) return 0;
    const awardedAmount = await awardCredit(ctx, userId, amount, event);
    if (awardedAmount > 0)
      await ctx.db
        .update(dailyAwards)
        .set({ count: sql`${dailyAwards.count} + 1` })
        .where(matchesCounter(counter));
    return awardedAmount;
  });
}

/** Users are locked before their counters everywhere, to avoid deadlocks. */
const lockUser = (ctx: Context, userId: number) =>
  ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');

/** Serializes the awards of one user and reason. Returns the number of awards of the day. */
async function lockCounter(ctx: Context, counter: DailyCounter): Promise<number> {
  const [first] = await ctx.db
    .insert(dailyAwards)
    .values(counter)
    .onConflictDoNothing()
    .returning({ count: dailyAwards.count });
  if (first) {
    await removeOldCounters(ctx, counter);
    return first.count;
  }
  const [row] = await ctx.db
    .select({ count: dailyAwards.count })
    .from(dailyAwards)
    .where(matchesCounter(counter))
    .for('update');
  return row?.count ?? 0;
}

/** Runs with the first award of a day, so that each user has only a few rows. */
async function removeOldCounters(ctx: Context, { user_id, reason }: DailyCounter): Promise<void> {
  const oldest = await siteDay(ctx, new Date(ctx.now().getTime() - COUNTER_RETENTION_MS));
  await ctx.db
    .delete(dailyAwards)
    .where(and(eq(dailyAwards.user_id, user_id), eq(dailyAwards.reason, reason), lt(dailyAwards.day, oldest)));
}
