import { inArray } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { Context } from '#platform/server/context.ts';

export type RenditionRow = typeof renditions.$inferSelect;

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
