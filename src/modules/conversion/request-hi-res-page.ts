import type { Context } from '#platform/server/context.ts';
import { HI_RES_PAGES_PER_JOB, renderHiResPages } from './convert/render-hi-res-pages.ts';

/** Queues the high-resolution rendering of a page and its neighbours. Returns false when it is queued already. */
export async function requestHiResPage(ctx: Context, id: number, page: number): Promise<boolean> {
  const first = page - ((page - 1) % HI_RES_PAGES_PER_JOB);
  const job = await ctx.jobs.send(renderHiResPages, { id, page: first }, { db: ctx.db, key: `${id}:${first}` });
  return job !== null;
}
