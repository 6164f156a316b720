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

/** The status of a document on the shelves, which follows its content from then on. */
export const statusOf = (content: RenditionRow): DocumentStatus =>
  isComplete(content) ? documentStatus.converted : statuses[content.state];

/** Complete pages stay readable while they are made anew, and when that fails. */
export const isComplete = ({ pages, ready_pages, ready_at }: RenditionRow): boolean =>
  ready_at !== null && pages > 0 && ready_pages === pages;

/**
 * Contents that stay in their state until this transaction ends: a document that begins to follow
 * one of them misses no change. To be locked before documents.
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
