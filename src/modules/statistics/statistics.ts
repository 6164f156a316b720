import { arch, platform } from 'node:os';
import { isNull, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { articles } from '#modules/article/article.table.ts';
import { banners } from '#modules/banner/banner.table.ts';
import { categories } from '#modules/category/category.table.ts';
import { comments } from '#modules/comment/comment.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { isPublic } from '#modules/document/visibility.ts';
import { friendLinks } from '#modules/friend-link/friend-link.table.ts';
import { reports } from '#modules/report/report.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { cacheFigures } from '#platform/server/cache/cache-figures.ts';
import { type Context, hasPermission } from '#platform/server/context.ts';
import { countRows } from '#platform/server/db/list-query.ts';
import { readBuildInfo, VERSION } from '#platform/server/version.ts';
import type { Sharer } from './statistics.contract.ts';

const MAX_AGE_MS = 30_000;
const MAX_SHARERS = 5;
const DAY_MS = 86_400_000;

const publicFigures = async ({ db }: Context) => ({
  document_count: await countRows(db, documents, isPublic),
  user_count: await countRows(db, users),
  article_count: await countRows(db, articles),
});

const staffFigures = async ({ db }: Context) => ({
  category_count: await countRows(db, categories),
  banner_count: await countRows(db, banners),
  friendlink_count: await countRows(db, friendLinks),
  comment_count: await countRows(db, comments, isNull(comments.deleted_at)),
  report_count: await countRows(db, reports),
});

export async function getStats(ctx: Context) {
  const { display } = await getSettings(ctx);
  const publicCounts = await cacheFigures(ctx, 'public counts', () => publicFigures(ctx), MAX_AGE_MS);
  const stats = {
    ...publicCounts,
    user_count: publicCounts.user_count + display.virtual_register_count,
    version: VERSION,
  };
  if (!hasPermission(ctx, 'ConfigAPI/GetStats'))
    return {
      ...stats,
      document_count: display.show_document_count ? stats.document_count : 0,
      user_count: display.show_register_user_count ? stats.user_count : 0,
    };
  const staffCounts = await cacheFigures(ctx, 'staff counts', () => staffFigures(ctx), MAX_AGE_MS);
  return { ...stats, ...staffCounts, ...(await readBuildInfo()), os: `${platform()} ${arch()}` };
}

export const listSharers = async (ctx: Context) => ({
  user: await cacheFigures(ctx, 'sharers', () => countRecentSharers(ctx), MAX_AGE_MS),
});

async function countRecentSharers(ctx: Context): Promise<Sharer[]> {
  const since = new Date(ctx.now().getTime() - 7 * DAY_MS).toISOString();
  const { rows } = await ctx.db.execute<Sharer>(sql`
    select ${users.id}::int as id, username, avatar, signature, sharers.doc_count
    from (
      select ${documents.user_id} as user_id, count(*)::int as doc_count
      from ${documents}
      where ${isPublic} and ${documents.status} = 2 and ${documents.published_at} >= ${since}
      group by ${documents.user_id} order by doc_count desc, user_id limit ${MAX_SHARERS}
    ) sharers join ${users} on ${users.id} = sharers.user_id
    order by sharers.doc_count desc, ${users.id}`);
  return rows;
}
