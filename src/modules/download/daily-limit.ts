import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { siteDay } from '#modules/credit/site-day.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { rateLimitAddress } from '#platform/server/http/rate-limit.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { downloadErrors } from './download.contract.ts';
import { downloadDays } from './download.table.ts';

const COUNTER_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

type DailyLimit = { limitKey: string; maxDownloads: number; createError: () => AppError };

/**
 * Limits that apply to a download, in lock order. A document that the user has bought does not count for the address,
 * so that readers behind one address do not use up its limit twice.
 */
async function getDailyLimits(ctx: Context, isBought: boolean): Promise<DailyLimit[]> {
  const { times_every_ip: perAddress, times_every_day: perUser } = (await getSettings(ctx)).download;
  const address = {
    limitKey: `address:${rateLimitAddress(ctx.client.ip)}`,
    maxDownloads: perAddress,
    createError: () => downloadErrors.addressLimit(`您所在IP今日下载次数已达上限(${perAddress})`),
  };
  if (!ctx.user) return [address];
  const user = {
    limitKey: `user:${ctx.user.id}`,
    maxDownloads: perUser,
    createError: () => downloadErrors.userLimit(`您的账户今日下载次数已达上限(${perUser})`),
  };
  return isBought ? [user] : [address, user];
}

/** Counts a download of today, or rejects it. Call it first in the transaction of the download. */
export async function countDownloadOrReject(ctx: Context, isBought: boolean): Promise<void> {
  const day = await siteDay(ctx);
  for (const { limitKey, maxDownloads, createError } of await getDailyLimits(ctx, isBought)) {
    if (maxDownloads === 0) throw createError();
    const [countedRow] = await ctx.db
      .insert(downloadDays)
      .values({ limit_key: limitKey, day, count: 1 })
      .onConflictDoUpdate({
        target: [downloadDays.limit_key, downloadDays.day],
        set: { count: sql`${downloadDays.count} + 1` },
        setWhere: lt(downloadDays.count, maxDownloads),
      })
      .returning({ count: downloadDays.count });
    if (!countedRow) throw createError();
  }
}

/** Returns the remaining downloads of today, and the error of the next download if there are none. */
export async function getRemainingDownloads(
  ctx: Context,
  isBought: boolean,
): Promise<{ remaining: number; limitError: AppError | null }> {
  const day = await siteDay(ctx);
  const limits = await getDailyLimits(ctx, isBought);
  const limitKeys = limits.map(({ limitKey }) => limitKey);
  const rows = await ctx.db
    .select()
    .from(downloadDays)
    .where(and(inArray(downloadDays.limit_key, limitKeys), eq(downloadDays.day, day)));
  const remainingOf = ({ limitKey, maxDownloads }: DailyLimit) =>
    Math.max(0, maxDownloads - (rows.find((row) => row.limit_key === limitKey)?.count ?? 0));
  const reachedLimit = limits.find((limit) => remainingOf(limit) === 0);
  return { remaining: Math.min(...limits.map(remainingOf)), limitError: reachedLimit?.createError() ?? null };
}

/** Deletes counters of past days. */
export const deleteOldDownloadCounters = defineJob({
  name: 'delete-old-download-counters',
  input: z.object({}),
  run: async (ctx: Context) => {
    const oldest = await siteDay(ctx, new Date(ctx.now().getTime() - COUNTER_RETENTION_MS));
    await ctx.db.delete(downloadDays).where(lt(downloadDays.day, oldest));
  },
});
