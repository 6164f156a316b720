import { and, eq } from 'drizzle-orm';
import { recordActivity } from '#modules/activity/activity.ts';
import { awardCredit } from '#modules/credit/credit.ts';
import { siteDay } from '#modules/credit/site-day.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type CheckIn, checkInErrors } from './check-in.contract.ts';
import { checkIns } from './check-in.table.ts';

async function findCheckIn(ctx: UserContext, day: number): Promise<CheckIn | undefined> {
  const [row] = await ctx.db
    .select()
    .from(checkIns)
    .where(and(eq(checkIns.user_id, ctx.user.id), eq(checkIns.sign_at, day)));
  return row;
}

export async function getTodaysCheckIn(ctx: UserContext): Promise<CheckIn> {
  const sign_at = await siteDay(ctx);
  const notCheckedIn = { id: 0, user_id: ctx.user.id, ip: '', sign_at, award: 0, created_at: null };
  return (await findCheckIn(ctx, sign_at)) ?? notCheckedIn;
}

/** The unique row of user and day prevents a second award for concurrent requests. */
export async function checkInToday(ctx: UserContext): Promise<CheckIn> {
  const sign_at = await siteDay(ctx);
  const { score } = await getSettings(ctx);
  const { id } = ctx.user;
  // Repeated requests, which are frequent, need no transaction.
  if (await findCheckIn(ctx, sign_at)) throw checkInErrors.signedToday();
  return inRetriedTransaction(ctx, async (ctx) => {
    const [row] = await ctx.db
      .insert(checkIns)
      .values({
        user_id: id,
        sign_at,
        award: score.sign_in,
        ip: ctx.client.ip,
        created_at: ctx.now().toISOString(),
      })
      .onConflictDoNothing()
      .returning();
    if (!row) throw checkInErrors.signedToday();
    await awardCredit(ctx, id, row.award, {
      key: `sign_in:${id}:${sign_at}`,
      reason: 'sign_in',
      reference: `day:${sign_at}`,
    });
    await recordActivity(ctx, { userId: id, type: 'sign', payload: { award: row.award } });
    return row;
  });
}
