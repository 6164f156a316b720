import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { pageRenderRequests } from './rendition.table.ts';

const AT_ONCE = 20;

/** Pages people wait for, each told once. */
export async function takePageRenderRequests(ctx: Context, contentId: number): Promise<number[]> {
  const waiting = await ctx.db
    .select({ page: pageRenderRequests.page })
    .from(pageRenderRequests)
    .where(eq(pageRenderRequests.content_id, contentId))
    .orderBy(pageRenderRequests.created_at)
    .limit(AT_ONCE);
  const pages = waiting.map(({ page }) => page);
  if (pages.length > 0)
    await ctx.db
      .delete(pageRenderRequests)
      .where(and(eq(pageRenderRequests.content_id, contentId), inArray(pageRenderRequests.page, pages)));
  return pages;
}
