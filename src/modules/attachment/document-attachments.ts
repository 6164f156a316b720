import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm';
import type { Context, UserContext } from '#platform/server/context.ts';
import { attachmentTypes } from './attachment.contract.ts';
import { attachments, removedFiles } from './attachment.table.ts';

/** Each document has its own row, also for a shared file. */
const usedByDocumentsCondition = (documentIds: number[]) =>
  and(eq(attachments.type, attachmentTypes.document), inArray(attachments.type_id, documentIds));

/** Lock order: files before the documents that use them. */
export const lockDocumentAttachments = (ctx: Context, documentIds: number[]) =>
  ctx.db
    .select()
    .from(attachments)
    .where(usedByDocumentsCondition(documentIds))
    .orderBy(asc(attachments.id))
    .for('update');

/** For permanently deleted documents. A row that bans its file stays, so that the file is still rejected. */
export async function deleteDocumentAttachments(ctx: Context, documentIds: number[]): Promise<void> {
  const bannedRows = await ctx.db
    .update(attachments)
    .set({ type_id: 0 })
    .where(and(usedByDocumentsCondition(documentIds), eq(attachments.enable, false)))
    .returning({ hash: attachments.hash });
  const deletedRows = await ctx.db
    .delete(attachments)
    .where(usedByDocumentsCondition(documentIds))
    .returning({ hash: attachments.hash });
  await recordRemovedFiles(
    ctx,
    [...bannedRows, ...deletedRows].map(({ hash }) => hash),
  );
}

/** Starts the retention time after which the bytes are erased. */
export async function recordRemovedFiles(ctx: Context, hashes: string[], at = ctx.now()): Promise<void> {
  if (hashes.length === 0) return;
  const removed_at = at.toISOString();
  await ctx.db
    .insert(removedFiles)
    .values([...new Set(hashes)].sort().map((hash) => ({ hash, removed_at })))
    .onConflictDoUpdate({ target: removedFiles.hash, set: { removed_at } });
}

/** Whether a document, or an upload without a document yet, uses these bytes. */
export async function isHashUsed(ctx: Context, hash: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: attachments.id })
    .from(attachments)
    .where(
      and(
        eq(attachments.hash, hash),
        eq(attachments.type, attachmentTypes.document),
        or(eq(attachments.enable, true), gt(attachments.type_id, 0)),
      ),
    )
    .limit(1);
  return row !== undefined;
}

/**
 * Deletes a document upload of the caller that has not become a document, and returns whether there was one. A banned row
 * stays, so that its file is rejected.
 */
export async function deleteUnusedUpload(ctx: UserContext, id: number): Promise<boolean> {
  const deletedRows = await ctx.db
    .delete(attachments)
    .where(
      and(
        ...[eq(attachments.id, id), eq(attachments.user_id, ctx.user.id), eq(attachments.enable, true)],
        ...[eq(attachments.type, attachmentTypes.document), eq(attachments.type_id, 0)],
      ),
    )
    .returning({ hash: attachments.hash });
  await recordRemovedFiles(
    ctx,
    deletedRows.map(({ hash }) => hash),
  );
  return deletedRows.length > 0;
}

/** Deletes document uploads that did not become a document in time; returns their number. */
export async function deleteUnusedDocumentUploads(ctx: Context, before: string): Promise<number> {
  const deletedRows = await ctx.db
    .delete(attachments)
    .where(
      sql`${attachments.type} = ${sql.raw(String(attachmentTypes.document))} and ${attachments.type_id} = 0
        and ${attachments.enable} and ${attachments.created_at} < ${before}`,
    )
    .returning({ hash: attachments.hash });
  await recordRemovedFiles(
    ctx,
    deletedRows.map(({ hash }) => hash),
  );
  return deletedRows.length;
}
