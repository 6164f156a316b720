import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { attachmentTypes } from './attachment.contract.ts';
import { attachments, removedFiles } from './attachment.table.ts';

/** Each document has a row of its own, whatever files they share. */
const usedBy = (documentIds: number[]) =>
  and(eq(attachments.type, attachmentTypes.document), inArray(attachments.type_id, documentIds));

/** Files are locked before the documents that use them. */
export const lockUses = (ctx: Context, documentIds: number[]) =>
  ctx.db.select().from(attachments).where(usedBy(documentIds)).orderBy(asc(attachments.id)).for('update');

/** The documents are gone for good. A row that bans its file stays, so that it goes on refusing. */
export async function removeUses(ctx: Context, documentIds: number[]): Promise<void> {
  const released = await ctx.db
    .update(attachments)
    .set({ type_id: 0 })
    .where(and(usedBy(documentIds), eq(attachments.enable, false)))
    .returning({ hash: attachments.hash });
  const removed = await ctx.db.delete(attachments).where(usedBy(documentIds)).returning({ hash: attachments.hash });
  await noteRemoved(
    ctx,
    [...released, ...removed].map(({ hash }) => hash),
  );
}

/** From now on counts the time after which the bytes are erased. */
export async function noteRemoved(ctx: Context, hashes: string[], at = ctx.now()): Promise<void> {
  if (hashes.length === 0) return;
  const removed_at = at.toISOString();
  await ctx.db
    .insert(removedFiles)
    .values([...new Set(hashes)].sort().map((hash) => ({ hash, removed_at })))
    .onConflictDoUpdate({ target: removedFiles.hash, set: { removed_at } });
}

/** Whether a document, or an upload that may become one, stands for these bytes. */
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

/** Uploads of which nobody made a document in time. Says how many. */
export async function removeUnusedUploads(ctx: Context, before: string): Promise<number> {
  const removed = await ctx.db
    .delete(attachments)
    .where(
      sql`${attachments.type} = ${sql.raw(String(attachmentTypes.document))} and ${attachments.type_id} = 0
        and ${attachments.enable} and ${attachments.created_at} < ${before}`,
    )
    .returning({ hash: attachments.hash });
  await noteRemoved(
    ctx,
    removed.map(({ hash }) => hash),
  );
  return removed.length;
}
