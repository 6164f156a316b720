import { sql } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { MAX_QUERY_LENGTH } from './search.contract.ts';

type Searched = { wd: string; total: number; page: number; seconds: number };

const AGENT_LENGTH = 512;
const HISTORY = 50;
const MAX_INT = 2_147_483_647;

/** What was searched for, as it is kept. */
export const keywordsOf = (wd: string): string =>
  wd.replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY_LENGTH).toWellFormed();

/** Notes a search for the administrator, and for whoever searched. Losing a note in a crash is no harm. */
export async function recordSearch(ctx: Context, { wd, total, page, seconds }: Searched) {
  const { search_record_retention_days: days } = (await getSettings(ctx)).security;
  const keywords = keywordsOf(wd);
  const [userId, now] = [ctx.user?.id ?? null, ctx.now().toISOString()];
  const isKept = days > 0;
  const isRemembered = userId !== null && page === 1;
  if (!isKept && !isRemembered) return;
  const agent = ctx.client.userAgent.slice(0, AGENT_LENGTH).toWellFormed();
  try {
    await ctx.db.execute(sql`
      with quick as (select set_config('synchronous_commit', 'off', true)),
      kept as (
        insert into search_records
          (user_id, ip, user_agent, keywords, total, page, spend_time, created_at)
        select ${userId}::bigint, ${ctx.client.ip}, ${agent}, ${keywords},
          ${Math.min(total, MAX_INT)}::int, ${page}::int, ${seconds}::real, ${now}::timestamptz
        from quick where ${isKept}),
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
