import type { Context } from '#platform/server/context.ts';
import { seedOnce } from '#platform/server/db/seed-once.ts';
import { articles } from './article.table.ts';
import { seededArticles } from './default-articles.ts';
import { sanitizeArticle } from './sanitize.ts';

/** The pages about the site, for its keeper to rewrite. */
export const seedArticles = (ctx: Context): Promise<void> =>
  seedOnce(ctx, 'articles', async (ctx) => {
    const [any] = await ctx.db.select({ id: articles.id }).from(articles).limit(1);
    if (any) return;
    // Lists show the newest first, so the first page to be read comes last.
    const rows = seededArticles.toReversed();
    await ctx.db.insert(articles).values(rows.map((row) => ({ ...row, content: sanitizeArticle(row.content) })));
  });
