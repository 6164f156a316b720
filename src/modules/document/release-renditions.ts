import { inArray } from 'drizzle-orm';
import { recordRemovedFiles } from '#modules/attachment/document-attachments.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { Context } from '#platform/server/context.ts';
import type { DocumentRow } from './document.table.ts';

/**
 * Call it before documents lose their contents. The decrypted copy of an encrypted file has no
 * attachment; only its content row leads to it.
 */
export async function noteRenditionsReleased(ctx: Context, rows: Pick<DocumentRow, 'content_id'>[]): Promise<void> {
  const ids = rows.flatMap(({ content_id }) => content_id ?? []);
  if (ids.length === 0) return;
  const released = await ctx.db.select({ hash: renditions.hash }).from(renditions).where(inArray(renditions.id, ids));
  await recordRemovedFiles(
    ctx,
    released.map(({ hash }) => hash),
  );
}
