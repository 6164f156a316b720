import { sql } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import type { OutputOf, ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { createBatchWriter } from '#platform/server/db/batch-writer.ts';
import { MAX_QUERY_LENGTH, type searchApi } from '../search.contract.ts';

type Input = ParsedInputOf<typeof searchApi.search>;
type Output = OutputOf<typeof searchApi.search>;

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

type NewSearchRecord = {
  ip: string;
  user_agent: string;
  keywords: string;
  total: number;
  page: number;
  spend_time: string;
  created_at: string;
};

/**
 * Writes the administrator's search record and the member's history, without waiting for the disk: losing a record in a
 * crash is acceptable.
 */
export async function recordSearch(ctx: Context, { wd, page }: Input, output: Output): Promise<void> {
  // A search that stopped early cannot claim that there are no results.
  if (!output.has_words || (!output.is_exact && output.total === 0)) return;
  const record: NewSearchRecord = {
    ip: ctx.client.ip,
    user_agent: ctx.client.userAgent.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed(),
    keywords: trimQueryForRecord(wd),
    // Relaxed results match only some of the words, so they count as none.
    total: output.is_relaxed ? 0 : Math.min(output.total, MAX_INT),
    page,
    spend_time: output.spend,
    created_at: ctx.now().toISOString(),
  };
  const isRecorded = (await getSettings(ctx)).security.search_record_retention_days > 0;
  try {
    if (ctx.user) await recordSearchOfUser(ctx, ctx.user.id, record, isRecorded);
    else if (isRecorded) await recordSearchOfVisitor(ctx, record);
  } catch (error) {
    // The search itself must not fail with its record.
    ctx.log.warn({ err: error }, 'search not recorded');
  }
}

const visitorRecordWriters = new WeakMap<Context['db'], (record: NewSearchRecord) => Promise<void>>();

/** Most searches are those of visitors; concurrent ones are written by one statement. */
function recordSearchOfVisitor({ db }: Context, record: NewSearchRecord): Promise<void> {
  const writer =
    visitorRecordWriters.get(db) ??
    createBatchWriter<NewSearchRecord>(async (records) => {
      await db.execute(sql`
        with quick as (select set_config('synchronous_commit', 'off', true))
        insert into search_records (ip, user_agent, keywords, total, page, spend_time, created_at)
        select r.ip, r.user_agent, r.keywords, r.total, r.page, r.spend_time, r.created_at
        from quick, jsonb_to_recordset(${JSON.stringify(records)}::jsonb) r (ip text, user_agent text, keywords text,
          total int, page int, spend_time real, created_at timestamptz)`);
    });
  visitorRecordWriters.set(db, writer);
  return writer(record);
}

/** Turns the record of the visitor's search that the server rendered into one of the user, or adds one. */
async function recordSearchOfUser(
  ctx: Context,
  userId: number,
  { ip, user_agent, keywords, total, page, spend_time, created_at }: NewSearchRecord,
  isRecorded: boolean,
): Promise<void> {
  const isInHistory = page === 1;
  if (!isRecorded && !isInHistory) return;
  const since = new Date(ctx.now().getTime() - SAME_SEARCH_WINDOW_MS).toISOString();
  await ctx.db.execute(sql`
    with quick as (select set_config('synchronous_commit', 'off', true)),
    claimed_record as (
      update search_records set user_id = ${userId}::bigint
      where id = (select id from search_records
        where user_id is null and created_at >= ${since} and ip = ${ip} and user_agent = ${user_agent}
          and keywords = ${keywords} and page = ${page}::int
        order by created_at desc limit 1)
      returning id),
    new_record as (
      insert into search_records
        (user_id, ip, user_agent, keywords, total, page, spend_time, created_at)
      select ${userId}::bigint, ${ip}, ${user_agent}, ${keywords}, ${total}::int, ${page}::int, ${spend_time}::real,
        ${created_at}::timestamptz
      from quick where ${isRecorded} and not exists (select 1 from claimed_record)),
    removed_history as (
      delete from search_history where user_id = ${userId}::bigint and ${isInHistory}
        and keywords in (select keywords from search_history where user_id = ${userId}::bigint
          order by searched_at desc offset ${MAX_HISTORY_ENTRIES}))
    insert into search_history (user_id, keywords, searched_at)
    select ${userId}::bigint, ${keywords}, ${created_at}::timestamptz from quick where ${isInHistory}
    on conflict (user_id, keywords) do update set searched_at = excluded.searched_at`);
}
