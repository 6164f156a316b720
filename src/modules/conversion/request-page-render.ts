import type { Context } from '#platform/server/context.ts';
import { prioritizeConversion } from './conversion-queue.ts';
import { pageRenderRequests } from './rendition.table.ts';

/** Moves a page that a reader waits for to the front of the rendering order. */
export async function requestPageRender(ctx: Context, renditionId: number, page: number): Promise<void> {
  await ctx.db
    .insert(pageRenderRequests)
    .values({ rendition_id: renditionId, page, created_at: ctx.now().toISOString() })
    .onConflictDoNothing();
  await prioritizeConversion(ctx, renditionId);
}
