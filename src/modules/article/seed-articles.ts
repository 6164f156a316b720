import type { Context } from '#platform/server/context.ts';
import { seedOnce } from '#platform/server/db/seed-once.ts';
import { articles } from './article.table.ts';
import { defaultArticles } from './default-articles.ts';
import { sanitizeArticle } from './sanitize-article.ts';

export const seedArticles = (ctx: Context): Promise<void> =>
  seedOnce(ctx, 'articles', async (ctx) => {
    const [existingArticle] = await ctx.db.select({ id: articles.id }).from(articles).limit(1);
    if (existingArticle) return;
    // Lists show the newest first, so the first article is inserted last.
    const rows = defaultArticles.toReversed();
    await ctx.db.insert(articles).values(rows.map((row) => ({ ...row, content: sanitizeArticle(row.content) })));
  });
