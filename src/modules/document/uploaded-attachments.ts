import { and, eq, gt, inArray } from 'drizzle-orm';
import { attachmentTypes, fileErrors } from '#modules/attachment/attachment.contract.ts';
import { attachments } from '#modules/attachment/attachment.table.ts';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { detectFormat } from '#modules/conversion/detect-format.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { storageByteSource } from '#modules/conversion/storage-byte-source.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { documentErrors } from './document.contract.ts';

export const DOCUMENT_FILE = attachmentTypes.document;
export type DocumentFile = typeof attachments.$inferSelect;

/** Detects the format from the stored bytes. Reads from the storage, so it must be called outside of transactions. */
export async function detectAttachmentFormat(
  ctx: Context,
  { hash, ext }: Pick<DocumentFile, 'hash' | 'ext'>,
): Promise<FileFormat> {
  const key = originalKey(hash);
  const stat = await ctx.storage.stat(key);
  if (!stat) throw documentErrors.missingFile();
  return detectFormat(storageByteSource(ctx, key, stat.size), ext.replace('.', ''));
}

const isMyDocumentAttachment = (ctx: UserContext, ids: number[]) =>
  and(inArray(attachments.id, ids), eq(attachments.user_id, ctx.user.id), eq(attachments.type, DOCUMENT_FILE));

/** Whether a document uses the file, also one in the recycle bin. */
export async function hasDocument(ctx: Context, hash: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: attachments.id })
    .from(attachments)
    .where(and(eq(attachments.hash, hash), eq(attachments.type, DOCUMENT_FILE), gt(attachments.type_id, 0)))
    .limit(1);
  return row !== undefined;
}

/** Unused uploads of the caller, in the order of `ids`. */
export async function findUploadedAttachments(ctx: UserContext, ids: number[]): Promise<DocumentFile[]> {
  const rows = await ctx.db.select().from(attachments).where(isMyDocumentAttachment(ctx, ids)).orderBy(attachments.id);
  return assertUnusedAndSort(ids, rows);
}

/** Locked, so that no other transaction uses, bans or removes them. */
export async function lockUploadedAttachments(ctx: UserContext, ids: number[]): Promise<DocumentFile[]> {
  const rows = await ctx.db
    .select()
    .from(attachments)
    .where(isMyDocumentAttachment(ctx, ids))
    .orderBy(attachments.id)
    .for('update');
  return assertUnusedAndSort(ids, rows);
}

function assertUnusedAndSort(ids: number[], rows: DocumentFile[]): DocumentFile[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const files = ids.map((id) => {
    const file = byId.get(id);
    if (!file) throw documentErrors.wrongFile();
    if (file.type_id !== 0) throw documentErrors.usedFile(`“${file.name}”已用于另一个文档`);
    if (!file.enable) throw fileErrors.illegal();
    return file;
  });
  if (new Set(ids).size < ids.length) throw documentErrors.usedFile('同一个文件不能用于两个文档');
  return files;
}
