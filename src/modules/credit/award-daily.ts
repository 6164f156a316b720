import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { dailyAwards } from './credit.table.ts';
import { awardCredit, type CreditEvent } from './credit.ts';
import { siteDay } from './site-day.ts';

/** Counters are kept this long, for requests that cross midnight and clocks that differ. */
const COUNTER_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

type DailyCounter = { user_id: number; reason: string; day: number };

const matchesCounter = ({ user_id, reason, day }: DailyCounter) =>
  and(eq(dailyAwards.user_id, user_id), eq(dailyAwards.reason, reason), eq(dailyAwards.day, day));

/**
 * Gives an award for the first `limit` happenings a day of this reason and user. Returns how many
 * beans were given: none when the limit is reached or this one was paid before.
 */
export async function awardDaily(
  ctx: Context,
  userId: number,
  amount: number,
  { limit, ...happening }: CreditEvent & { limit: number },
): Promise<number> {
  if (amount === 0 || limit === 0) return 0;
  const counter = { user_id: userId, reason: happening.reason, day: await siteDay(ctx) };
  // A reached limit needs no lock: a slot that is released at this moment counts for the next award.
  const [seen] = await ctx.db.select().from(dailyAwards).where(matchesCounter(counter));
  if (seen && seen.count >= limit) return 0;
  return inRetriedTransaction(ctx, async (ctx) => {
    await lockUser(ctx, userId);
    if ((await lockCounter(ctx, counter)) >= limit) return 0;
    const given = await awardCredit(ctx, userId, amount, happening);
    if (given > 0)
      await ctx.db
        .update(dailyAwards)
        .set({ count: sql`${dailyAwards.count} + 1` })
        .where(matchesCounter(counter));
    return given;
  });
}

/**
 * Makes room for another award of the day on which this one was given. The caller must have locked the user and must
 * have taken back the whole award.
 */
export async function releaseDailySlot(ctx: Context, counter: DailyCounter): Promise<void> {
  await ctx.db
    .update(dailyAwards)
    .set({ count: sql`${dailyAwards.count} - 1` })
    .where(and(matchesCounter(counter), gt(dailyAwards.count, 0)));
}

/** Users are locked before their counters everywhere, to avoid deadlocks. */
const lockUser = (ctx: Context, userId: number) =>
  ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');

/** One award of a reason at a time for each user: returns how many there were today. */
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

/** With the first award of a day, so that a user has but a few. */
async function removeOldCounters(ctx: Context, { user_id, reason }: DailyCounter): Promise<void> {
  const oldest = await siteDay(ctx, new Date(ctx.now().getTime() - COUNTER_RETENTION_MS));
  await ctx.db
    .delete(dailyAwards)
    .where(and(eq(dailyAwards.user_id, user_id), eq(dailyAwards.reason, reason), lt(dailyAwards.day, oldest)));
}
