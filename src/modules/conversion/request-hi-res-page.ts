import type { Context } from '#platform/server/context.ts';
import { drawSharpPages, SHARP_AT_ONCE } from './convert/render-hi-res-pages.ts';

/** Somebody looks closely at a page: it and its neighbours are drawn larger. False when that waits already. */
export async function wishSharpPage(ctx: Context, id: number, page: number): Promise<boolean> {
  const first = page - ((page - 1) % SHARP_AT_ONCE);
  const job = await ctx.jobs.send(
    drawSharpPages,
    { id, page: first },
    { db: ctx.db, key: `${id}:${first}` },
  );
  return job !== null;
}
