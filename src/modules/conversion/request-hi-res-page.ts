import type { Context } from '#platform/server/context.ts';
import { MAX_CONCURRENT_HI_RES_PAGES, renderHiResPages } from './convert/render-hi-res-pages.ts';

/** Somebody looks closely at a page: it and its neighbours are drawn larger. False when that waits already. */
export async function requestHiResPage(ctx: Context, id: number, page: number): Promise<boolean> {
  const first = page - ((page - 1) % MAX_CONCURRENT_HI_RES_PAGES);
  const job = await ctx.jobs.send(renderHiResPages, { id, page: first }, { db: ctx.db, key: `${id}:${first}` });
  return job !== null;
}
