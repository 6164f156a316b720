import { and, desc, eq } from 'drizzle-orm';
import type { UserContext } from '#platform/server/context.ts';
import { searchHistory } from '../search.table.ts';
import { trimQueryForRecord } from './record-search.ts';

const MAX_ENTRIES = 20;
const { user_id, keywords, searched_at } = searchHistory;

/** The caller's queries, newest first. */
export async function listSearchHistory(ctx: UserContext) {
  const rows = await ctx.db
    .select({ keywords })
    .from(searchHistory)
    .where(eq(user_id, ctx.user.id))
    .orderBy(desc(searched_at))
    .limit(MAX_ENTRIES);
  return { history: rows.map((row) => row.keywords) };
}

export async function deleteSearchHistory(ctx: UserContext, { wd }: { wd?: string }) {
  await ctx.db
    .delete(searchHistory)
    .where(and(eq(user_id, ctx.user.id), wd === undefined ? undefined : eq(keywords, trimQueryForRecord(wd))));
  return {};
}
