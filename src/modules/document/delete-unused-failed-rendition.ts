import { and, eq, notExists } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { Context } from '#platform/server/context.ts';
import { documents } from './document.table.ts';

/**
 * Deletes the failed conversion of a file that no document uses, so that it leaves the list of failures. Must be called
 * after the document has got another file.
 */
export async function deleteUnusedFailedRendition(ctx: Context, renditionId: number | null): Promise<void> {
  if (renditionId === null) return;
  const isFailure = and(eq(renditions.id, renditionId), eq(renditions.state, 'failed'));
  // Waits for transactions that are about to use the rendition; the next statement sees their writes.
  await ctx.db.select({ id: renditions.id }).from(renditions).where(isFailure).for('update');
  const uses = ctx.db.select({ id: documents.id }).from(documents).where(eq(documents.rendition_id, renditionId));
  await ctx.db.delete(renditions).where(and(isFailure, notExists(uses)));
}
