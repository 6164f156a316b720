import { sql } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { MAX_QUERY_LENGTH } from '../search.contract.ts';

type Searched = { wd: string; total: number; page: number; seconds: number };

const AGENT_LENGTH = 512;
const HISTORY = 50;
const MAX_INT = 2_147_483_647;
/** A page is searched for a visitor and, once it is known who reads, by that member: one search. */
const SAME_SEARCH_MS = 30_000;

/** Whoever is not logged in is known by the address; of the longer ones by the half a household keeps. */
export const searcher = sql`coalesce(user_id::text, case when ip like '%:%'
  then host(network(set_masklen(ip::inet, 64))) else ip end)`;

/** What was searched for, as it is kept. */
export const recordedQuery = (wd: string): string =>
  wd.replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY_LENGTH).toWellFormed();

/** Notes a search for the administrator, and for whoever searched. Losing a note in a crash is no harm. */
export async function recordSearch(ctx: Context, { wd, total, page, seconds }: Searched) {
  const { search_record_retention_days: days } = (await getSettings(ctx)).security;
  const keywords = recordedQuery(wd);
  const [userId, now] = [ctx.user?.id ?? null, ctx.now().toISOString()];
  const isKept = days > 0;
  const isRemembered = userId !== null && page === 1;
  if (!isKept && !isRemembered) return;
  const agent = ctx.client.userAgent.slice(0, AGENT_LENGTH).toWellFormed();
  const since = new Date(ctx.now().getTime() - SAME_SEARCH_MS).toISOString();
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
        from quick where ${isKept} and not exists (select 1 from claimed)),
      old as (
        delete from search_history where user_id = ${userId}::bigint and ${isRemembered}
          and keywords in (select keywords from search_history where user_id = ${userId}::bigint
            order by searched_at desc offset ${HISTORY}))
      insert into search_history (user_id, keywords, searched_at)
      select ${userId}::bigint, ${keywords}, ${now}::timestamptz from quick where ${isRemembered}
      on conflict (user_id, keywords) do update set searched_at = excluded.searched_at`);
  } catch (error) {
    // Whoever searches gets the answer all the same.
    ctx.log.warn({ err: error }, 'a search was not noted');
  }
}
