import { and, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { enqueueConversion } from './conversion-queue.ts';
import { renditions } from './rendition.table.ts';

/** All its pages were made once, and are stored whatever is being made of it now. */
const isComplete = and(
  ...[isNotNull(renditions.ready_at), gt(renditions.pages, 0)],
  eq(renditions.ready_pages, renditions.pages),
);

/**
 * Converts anew, whatever there is. Complete pages stay, and their documents readable, until they are
 * replaced; a beginning is dropped. The text is read again in any case.
 */
export async function reconvert(ctx: Context, contentIds: number[]): Promise<void> {
  if (contentIds.length === 0) return;
  await ctx.db
    .update(renditions)
    .set({
      state: 'waiting',
      reason: '',
      attempts: 0,
      text_size: 0,
      has_pdf: false,
      // A running attempt loses its lease: its outcome must not replace this request.
      lease_token: null,
      lease_until: null,
      ready_pages: sql`case when ${isComplete} then ${renditions.ready_pages} else 0 end`,
      ready_at: sql`case when ${isComplete} then ${renditions.ready_at} end`,
    })
    .where(inArray(renditions.id, contentIds));
  for (const id of [...new Set(contentIds)].sort((one, other) => one - other)) await enqueueConversion(ctx, id);
}
