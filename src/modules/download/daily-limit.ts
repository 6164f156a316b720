import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { siteDay } from '#modules/credit/site-day.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { addressKey } from '#platform/server/http/rate-limit.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { downloadErrors } from './download.contract.ts';
import { downloadDays } from './download.table.ts';

const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

type Limited = { who: string; most: number; refusal: () => AppError };

/**
 * Who is counted for a download, in the order in which they are locked. A document that the user has
 * bought is not counted for the address: readers behind one address do not use up its limit twice.
 */
async function limitsOf(ctx: Context, isBought: boolean): Promise<Limited[]> {
  const { times_every_ip: perAddress, times_every_day: perUser } = (await getSettings(ctx)).download;
  const address = {
    who: `address:${addressKey(ctx.client.ip)}`,
    most: perAddress,
    refusal: () => downloadErrors.addressLimit(`您所在IP今日下载次数已达上限(${perAddress})`),
  };
  if (!ctx.user) return [address];
  const user = {
    who: `user:${ctx.user.id}`,
    most: perUser,
    refusal: () => downloadErrors.userLimit(`您的账户今日下载次数已达上限(${perUser})`),
  };
  return isBought ? [user] : [address, user];
}

/** Counts a download of today, or refuses it. In the transaction of the download, before all else. */
export async function countDownload(ctx: Context, isBought: boolean): Promise<void> {
  const day = await siteDay(ctx);
  for (const { who, most, refusal } of await limitsOf(ctx, isBought)) {
    if (most === 0) throw refusal();
    const [counted] = await ctx.db
      .insert(downloadDays)
      .values({ who, day, count: 1 })
      .onConflictDoUpdate({
        target: [downloadDays.who, downloadDays.day],
        set: { count: sql`${downloadDays.count} + 1` },
        setWhere: lt(downloadDays.count, most),
      })
      .returning({ count: downloadDays.count });
    if (!counted) throw refusal();
  }
}

/** How many downloads are left today, and what refuses the next one when none is. */
export async function leftToday(ctx: Context, isBought: boolean): Promise<{ left: number; refusal: AppError | null }> {
  const day = await siteDay(ctx);
  const limits = await limitsOf(ctx, isBought);
  const whos = limits.map(({ who }) => who);
  const rows = await ctx.db
    .select()
    .from(downloadDays)
    .where(and(inArray(downloadDays.who, whos), eq(downloadDays.day, day)));
  const leftOf = ({ who, most }: Limited) => Math.max(0, most - (rows.find((row) => row.who === who)?.count ?? 0));
  const reached = limits.find((limit) => leftOf(limit) === 0);
  return { left: Math.min(...limits.map(leftOf)), refusal: reached?.refusal() ?? null };
}

/** Counters of days gone by. */
export const deleteOldDownloadDays = defineJob({
  name: 'forget-download-days',
  input: z.object({}),
  run: async (ctx: Context) => {
    const oldest = await siteDay(ctx, new Date(ctx.now().getTime() - KEPT_MS));
    await ctx.db.delete(downloadDays).where(lt(downloadDays.day, oldest));
  },
});
