import type { Context } from '#platform/server/context.ts';
import { prioritizeConversion } from './conversion-queue.ts';
import { pageRenderRequests } from './rendition.table.ts';

/** Somebody is looking at a page that is not there yet: it is made before the others. */
export async function requestPage(ctx: Context, contentId: number, page: number): Promise<void> {
  await ctx.db
    .insert(pageRenderRequests)
    .values({ content_id: contentId, page, created_at: ctx.now().toISOString() })
    .onConflictDoNothing();
  await prioritizeConversion(ctx, contentId);
}
