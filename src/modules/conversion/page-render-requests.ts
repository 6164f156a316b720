import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { pageRenderRequests } from './rendition.table.ts';

const MAX_PAGES_PER_CALL = 20;

/** Removes and returns the pages that readers wait for. */
export async function dequeuePageRenderRequests(ctx: Context, renditionId: number): Promise<number[]> {
  const requests = await ctx.db
    .select({ page: pageRenderRequests.page })
    .from(pageRenderRequests)
    .where(eq(pageRenderRequests.rendition_id, renditionId))
    .orderBy(pageRenderRequests.created_at)
    .limit(MAX_PAGES_PER_CALL);
  const pages = requests.map(({ page }) => page);
  if (pages.length > 0)
    await ctx.db
      .delete(pageRenderRequests)
      .where(and(eq(pageRenderRequests.rendition_id, renditionId), inArray(pageRenderRequests.page, pages)));
  return pages;
}
