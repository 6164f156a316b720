import { inArray } from 'drizzle-orm';
import type { RenditionState } from '#modules/conversion/conversion.contract.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { Context } from '#platform/server/context.ts';
import { type DocumentStatus, documentStatus } from './document.contract.ts';

export type RenditionRow = typeof renditions.$inferSelect;

const statuses: Record<RenditionState, DocumentStatus> = {
  waiting: documentStatus.waiting,
  converting: documentStatus.converting,
  readable: documentStatus.converted,
  ready: documentStatus.converted,
  failed: documentStatus.failed,
};

/** Status of a published document, which follows its rendition. */
export const documentStatusOfRendition = (rendition: RenditionRow): DocumentStatus =>
  isFullyRendered(rendition) ? documentStatus.converted : statuses[rendition.state];

/** Complete pages stay readable during a re-conversion, even if it fails. */
export const isFullyRendered = ({ pages, ready_pages, ready_at }: RenditionRow): boolean =>
  ready_at !== null && pages > 0 && ready_pages === pages;

/**
 * Locks renditions, so that their state cannot change before this transaction ends. Must be called before documents are
 * locked.
 */
export async function lockRenditions(
  ctx: Context,
  ids: number[],
  strength: 'share' | 'no key update' = 'share',
): Promise<Map<number, RenditionRow>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .select()
    .from(renditions)
    .where(inArray(renditions.id, ids))
    .orderBy(renditions.id)
    .for(strength);
  return new Map(rows.map((row) => [row.id, row]));
}
