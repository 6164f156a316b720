import { sql } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { MAX_QUERY_LENGTH } from '../search.contract.ts';

type SearchEvent = { wd: string; total: number; page: number; seconds: number };

const MAX_USER_AGENT_LENGTH = 512;
const MAX_HISTORY_ENTRIES = 50;
const MAX_INT = 2_147_483_647;
/**
 * The server first renders a page for a visitor, then the browser repeats the search as the member: that is one search.
 */
const SAME_SEARCH_WINDOW_MS = 30_000;

/** Visitors are identified by their IP address; IPv6 by its /64 prefix, which one household shares. */
export const searcherKey = sql`coalesce(user_id::text, case when ip like '%:%'
  then host(network(set_masklen(ip::inet, 64))) else ip end)`;

export const trimQueryForRecord = (wd: string): string =>
  wd.replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY_LENGTH).toWellFormed();

/**
 * Writes the administrator's search record and the member's history, without waiting for the disk: losing a record in a
 * crash is acceptable.
 */
export async function recordSearch(ctx: Context, { wd, total, page, seconds }: SearchEvent) {
  const { search_record_retention_days: days } = (await getSettings(ctx)).security;
  const keywords = trimQueryForRecord(wd);
  const [userId, now] = [ctx.user?.id ?? null, ctx.now().toISOString()];
  const isRecorded = days > 0;
  const isInHistory = userId !== null && page === 1;
  if (!isRecorded && !isInHistory) return;
  const agent = ctx.client.userAgent.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed();
  const since = new Date(ctx.now().getTime() - SAME_SEARCH_WINDOW_MS).toISOString();
  try {
    await ctx.db.execute(sql`
      with quick as (select set_config('synchronous_commit', 'off', true)),
      claimed as (
        update search_records set user_id = ${userId}::bigint
        where id = (select id from search_records
          where ${userId}::bigint is not null and user_id is null and created_at >= ${since}
            and ip = ${ctx.client.ip} and user_agent = ${agent}
            and keywords = ${keywords} and page = ${page}::int
          order by created_at desc limit 1)
        returning id),
      kept as (
        insert into search_records
          (user_id, ip, user_agent, keywords, total, page, spend_time, created_at)
        select ${userId}::bigint, ${ctx.client.ip}, ${agent}, ${keywords},
          ${Math.min(total, MAX_INT)}::int, ${page}::int, ${seconds}::real, ${now}::timestamptz
        from quick where ${isRecorded} and not exists (select 1 from claimed)),
      old as (
        delete from search_history where user_id = ${userId}::bigint and ${isInHistory}
          and keywords in (select keywords from search_history where user_id = ${userId}::bigint
            order by searched_at desc offset ${MAX_HISTORY_ENTRIES}))
      insert into search_history (user_id, keywords, searched_at)
      select ${userId}::bigint, ${keywords}, ${now}::timestamptz from quick where ${isInHistory}
      on conflict (user_id, keywords) do update set searched_at = excluded.searched_at`);
  } catch (error) {
    // The search itself must not fail with its record.
    ctx.log.warn({ err: error }, 'search not recorded');
  }
}
