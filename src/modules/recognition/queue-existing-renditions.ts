import { gt, isNull, or } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { Context } from '#platform/server/context.ts';
import { queueRenditions, requeueTasks } from './recognition-queue.ts';

export type ExistingRenditionsQueued = { addedCount: number; requeuedCount: number };

/**
 * Queues all renditions that may have scanned pages. `again`: pages that were recognized before are recognized again;
 * otherwise only failed tasks are continued.
 */
export async function queueExistingRenditions(
  ctx: Context,
  { again }: { again: boolean },
): Promise<ExistingRenditionsQueued> {
  const requeuedCount = await requeueTasks(ctx, again ? { again } : { state: 'failed', again });
  const addedCount = await queueRenditions(ctx, or(isNull(renditions.scanned_pages), gt(renditions.scanned_pages, 0)));
  return { addedCount, requeuedCount };
}
