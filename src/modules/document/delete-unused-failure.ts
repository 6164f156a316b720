import { and, eq, notExists } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { Context } from '#platform/server/context.ts';
import { documents } from './document.table.ts';

/**
 * Deletes the failed conversion of a file that no document uses any more, so that the list of failures
 * does not keep it. Call it after the document has got another file.
 */
export async function deleteUnusedFailure(ctx: Context, contentId: number | null): Promise<void> {
  if (contentId === null) return;
  const isFailure = and(eq(renditions.id, contentId), eq(renditions.state, 'failed'));
  // Waits for transactions that are about to use it; the next statement sees what they wrote.
  await ctx.db.select({ id: renditions.id }).from(renditions).where(isFailure).for('update');
  const uses = ctx.db.select({ id: documents.id }).from(documents).where(eq(documents.content_id, contentId));
  await ctx.db.delete(renditions).where(and(isFailure, notExists(uses)));
}
