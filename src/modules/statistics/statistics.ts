import { arch, platform } from 'node:os';
import { count, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { articles } from '#modules/article/article.table.ts';
import { banners } from '#modules/banner/banner.table.ts';
import { categories } from '#modules/category/category.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { isPublic } from '#modules/document/visible-to.ts';
import { friendLinks } from '#modules/friend-link/friend-link.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { users } from '#modules/user/user.table.ts';
import { type Context, can } from '#platform/server/context.ts';
import type { LiveCache } from '#platform/server/live-cache.ts';
import { createPageCache, type PageCache } from '#platform/server/page-cache.ts';
import { VERSION } from '#platform/server/version.ts';
import type { Sharer } from './statistics.contract.ts';

const MAX_AGE_MS = 30_000;
const SHARERS = 5;
const DAY_MS = 86_400_000;

type Figures = Record<string, number> | Sharer[];
/** One for each process, however many contexts it has. */
const kept = new WeakMap<LiveCache, PageCache<Figures>>();

/** Counted once in a while, whoever and however many ask. */
async function counted<T extends Figures>(
  ctx: Context,
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  let cache = kept.get(ctx.live);
  if (!cache) {
    cache = createPageCache({ now: ctx.now, maxAgeMs: MAX_AGE_MS, maxBytes: 100 });
    kept.set(ctx.live, cache);
  }
  const value = await cache.get(name, async () => ({
    value: await load(),
    subjects: new Set<string>(),
    bytes: 1,
    isKept: true,
  }));
  return value as T;
}

async function rowsOf({ db }: Context, table: PgTable): Promise<number> {
  const [row] = await db.select({ total: count() }).from(table);
  return row?.total ?? 0;
}

async function publicFigures(ctx: Context) {
  const [row] = await ctx.db.select({ total: count() }).from(documents).where(isPublic);
  return {
    document_count: row?.total ?? 0,
    user_count: await rowsOf(ctx, users),
    article_count: await rowsOf(ctx, articles),
  };
}

const innerFigures = async (ctx: Context) => ({
  category_count: await rowsOf(ctx, categories),
  banner_count: await rowsOf(ctx, banners),
  friendlink_count: await rowsOf(ctx, friendLinks),
});

export async function getStats(ctx: Context) {
  const { display } = await getSettings(ctx);
  const shown = await counted(ctx, 'public', () => publicFigures(ctx));
  const stats = {
    ...shown,
    user_count: shown.user_count + display.virtual_register_count,
    version: VERSION,
  };
  if (!can(ctx, 'ConfigAPI/GetStats')) return stats;
  const inner = await counted(ctx, 'inner', () => innerFigures(ctx));
  return { ...stats, ...inner, os: `${platform()} ${arch()}` };
}

/** Who brought the most documents that everybody can read, in the last seven days. */
export async function listSharers(ctx: Context) {
  const user = await counted(ctx, 'sharers', async () => {
    const since = new Date(ctx.now().getTime() - 7 * DAY_MS).toISOString();
    const { rows } = await ctx.db.execute<Sharer>(sql`
      select ${users.id}::int as id, username, avatar, signature, shared.doc_count
      from (
        select ${documents.user_id} as user_id, count(*)::int as doc_count
        from ${documents}
        where ${isPublic} and ${documents.status} = 2 and ${documents.published_at} >= ${since}
        group by ${documents.user_id} order by doc_count desc, user_id limit ${SHARERS}
      ) shared join ${users} on ${users.id} = shared.user_id
      order by shared.doc_count desc, ${users.id}`);
    return rows;
  });
  return { user };
}
