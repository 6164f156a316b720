import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { pageWishes } from './rendition.table.ts';

const AT_ONCE = 20;

/** Pages people wait for, each told once. */
export async function takeWishes(ctx: Context, contentId: number): Promise<number[]> {
  const waiting = await ctx.db
    .select({ page: pageWishes.page })
    .from(pageWishes)
    .where(eq(pageWishes.content_id, contentId))
    .orderBy(pageWishes.created_at)
    .limit(AT_ONCE);
  const pages = waiting.map(({ page }) => page);
  if (pages.length > 0)
    await ctx.db
      .delete(pageWishes)
      .where(and(eq(pageWishes.content_id, contentId), inArray(pageWishes.page, pages)));
  return pages;
}
