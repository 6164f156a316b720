import { inArray } from 'drizzle-orm';
import { recordRemovedFiles } from '#modules/attachment/document-attachments.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { Context } from '#platform/server/context.ts';
import type { DocumentRow } from './document.table.ts';

/**
 * Records files for later erasure. Must be called before documents lose their renditions: a decrypted copy has no
 * attachment, so only its rendition leads to it.
 */
export async function recordFilesForErasure(ctx: Context, rows: Pick<DocumentRow, 'rendition_id'>[]): Promise<void> {
  const ids = rows.flatMap(({ rendition_id }) => rendition_id ?? []);
  if (ids.length === 0) return;
  const releasedRenditions = await ctx.db
    .select({ hash: renditions.hash })
    .from(renditions)
    .where(inArray(renditions.id, ids));
  await recordRemovedFiles(
    ctx,
    releasedRenditions.map(({ hash }) => hash),
  );
}
