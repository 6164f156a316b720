import { and, desc, eq, gt, gte, inArray, lte, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { users } from '#modules/account/account.table.ts';
import { recordRemoval } from '#modules/audit/audit.ts';
import { parsePeriod } from '#modules/settings/parse-period.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { containsWords, countOrEstimate, orderByTerms, toLimitAndOffset } from '#platform/server/db/list-query.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { searchRecords } from '../search.table.ts';
import type { searchAdminApi } from '../search-admin.contract.ts';
import { searcherKey } from './record-search.ts';

const { id, user_id, keywords, total, page, spend_time, created_at } = searchRecords;
const orderColumns = { id, keywords, total, spend_time, created_at };

export async function listRecords(ctx: Context, input: ParsedInputOf<typeof searchAdminApi.records>) {
  const { from, to } = await parsePeriod(ctx, input.created_at);
  const condition = and(
    containsWords([keywords, searchRecords.ip], input.wd),
    input.user_id?.length ? inArray(user_id, input.user_id) : undefined,
    input.is_empty === undefined ? undefined : input.is_empty ? eq(total, 0) : gt(total, 0),
    from ? gte(created_at, from) : undefined,
    to ? lte(created_at, to) : undefined,
  );
  const { limit = 10, offset } = toLimitAndOffset(input);
  const rows = await ctx.db
    .select({ record: searchRecords, username: users.username })
    .from(searchRecords)
    .leftJoin(users, eq(users.id, user_id))
    .where(condition)
    .orderBy(...orderByTerms(input, orderColumns, [desc(id)]))
    .limit(limit)
    .offset(offset);
  return {
    total: await countOrEstimate(ctx.db, searchRecords, condition),
    search_record: rows.map(({ record, username }) => ({
      ...record,
      user_id: record.user_id ?? 0,
      username: username ?? '',
    })),
  };
}

export async function deleteRecords(ctx: Context, input: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    const rows = await ctx.db.delete(searchRecords).where(inArray(id, input.id)).returning();
    await recordRemoval(
      ctx,
      { action: '删除搜索记录', kind: '搜索记录', ids: input.id },
      rows.map((row) => ({ id: row.id, name: row.keywords, values: { keywords: row.keywords } })),
    );
  });
  return {};
}

/** Most frequent queries; with `is_empty`, the ones that have no results. */
export async function listQueryStatistics(ctx: Context, input: ParsedInputOf<typeof searchAdminApi.words>) {
  const since = new Date(ctx.now().getTime() - input.days * 86_400_000).toISOString();
  const { limit = 10, offset } = toLimitAndOffset(input);
  const { rows } = await ctx.db.execute<{
    keywords: string;
    count: number;
    users: number;
    total: number;
    searched_at: string;
    groups: number;
  }>(sql`
    select *, (count(*) over ())::int as groups from (
      select min(keywords) as keywords, count(*)::int as count,
        count(distinct ${searcherKey})::int as users,
        (array_agg(total order by id desc))[1] as total, max(created_at) as searched_at
      from ${searchRecords}
      where ${and(gte(created_at, since), eq(page, 1), containsWords([keywords], input.wd))}
      group by lower(keywords)) words
    where ${input.is_empty === undefined} or (total = 0) = ${input.is_empty ?? false}
    order by count desc, searched_at desc limit ${limit} offset ${offset}`);
  return {
    total: rows[0]?.groups ?? 0,
    word: rows.map((row) => ({ ...row, searched_at: new Date(row.searched_at).toISOString() })),
  };
}

/** Deletes search records that are older than the retention setting. */
export const deleteOldSearches = defineJob({
  name: 'delete-old-search-records',
  input: z.object({}),
  run: async (ctx: Context) => {
    const { search_record_retention_days: days } = (await getSettings(ctx)).security;
    const until = new Date(ctx.now().getTime() - days * 86_400_000).toISOString();
    await ctx.db.delete(searchRecords).where(lte(created_at, until));
  },
});
