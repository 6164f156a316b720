import { sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { users } from '#modules/account/account.table.ts';
import { checkIns } from '#modules/check-in/check-in.table.ts';
import { comments } from '#modules/comment/comment.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { downloads } from '#modules/download/download.table.ts';
import { searchRecords } from '#modules/search/search.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { cacheFigures, MINUTE_MS } from '#platform/server/cache/cache-figures.ts';
import type { Context } from '#platform/server/context.ts';
import { type TrendName, trendNames } from './dashboard.contract.ts';

const TREND_DAYS = 30;

const tables: Record<TrendName, PgTable> = {
  user: users,
  document: documents,
  download: downloads,
  comment: comments,
  search: searchRecords,
  sign_in: checkIns,
};
const notDeleted: Partial<Record<TrendName, ReturnType<typeof sql>>> = {
  document: sql`and deleted_at is null`,
  comment: sql`and deleted_at is null`,
};

/** The last days in the time zone of the site, with the start of each in UTC. */
async function lastDays(ctx: Context) {
  const { timezone } = (await getSettings(ctx)).system;
  const today = sql`(${ctx.now().toISOString()}::timestamptz at time zone ${timezone}::text)::date`;
  const { rows } = await ctx.db.execute<{ day: string; start: string }>(sql`
    select to_char(day, 'YYYY-MM-DD') as day,
      to_char((day at time zone ${timezone}::text) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as start
    from generate_series((${today} - ${TREND_DAYS - 1}::int)::timestamp, ${today}, interval '1 day') as day
    order by day`);
  return rows;
}

async function countPerDay(ctx: Context, name: TrendName, starts: string[], end?: string) {
  const { rows } = await ctx.db.execute<{ nth: number; total: number }>(sql`
    select width_bucket(created_at, ${sql.param(starts)}::timestamptz[]) as nth, count(*)::int as total
    from ${tables[name]} where created_at >= ${starts[0]}::timestamptz
      ${end ? sql`and created_at < ${end}::timestamptz` : undefined} ${notDeleted[name]} group by nth`);
  const totals = new Map(rows.map(({ nth, total }) => [nth, total]));
  return starts.map((_, at) => totals.get(at + 1) ?? 0);
}

const PAST_DAYS_TTL_MS = 60 * MINUTE_MS;

/** Daily counts of the last thirty days. Past days rarely change, so they are cached longer than today. */
export async function getTrend(ctx: Context) {
  const days = await lastDays(ctx);
  const starts = days.map(({ start }) => start);
  const today = starts.slice(-1);
  const names = Object.keys(trendNames) as TrendName[];
  const series = await Promise.all(
    names.map(async (name) => {
      const [past, now] = await Promise.all([
        cacheFigures(
          ctx,
          `${name} before ${today[0]}`,
          () => countPerDay(ctx, name, starts.slice(0, -1), today[0]),
          PAST_DAYS_TTL_MS,
        ),
        cacheFigures(ctx, `${name} since ${today[0]}`, () => countPerDay(ctx, name, today)),
      ]);
      return { name, counts: [...past, ...now] };
    }),
  );
  return { days: days.map(({ day }) => day), series };
}
