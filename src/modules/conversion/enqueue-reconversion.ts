import { and, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { changeRenditions } from './change-renditions.ts';
import { enqueueConversion } from './conversion-queue.ts';
import { renditions } from './rendition.table.ts';

/** All pages are stored, although a conversion may be running again. */
const isComplete = and(
  ...[isNotNull(renditions.ready_at), gt(renditions.pages, 0)],
  eq(renditions.ready_pages, renditions.pages),
);

/**
 * Queues a full conversion. Complete pages stay readable until they are replaced; an incomplete set of pages is
 * dropped. The text is always extracted again.
 */
export async function enqueueReconversion(ctx: Context, renditionIds: number[]): Promise<void> {
  if (renditionIds.length === 0) return;
  await changeRenditions(ctx, inArray(renditions.id, renditionIds), {
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
  });
  for (const id of [...new Set(renditionIds)].sort((a, b) => a - b)) await enqueueConversion(ctx, id);
}
