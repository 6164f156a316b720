import { and, eq, inArray } from 'drizzle-orm';
import { attachmentTypes, fileErrors } from '#modules/attachment/attachment.contract.ts';
import { attachments } from '#modules/attachment/attachment.table.ts';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { detectFormat } from '#modules/conversion/detect-format.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { storageSource } from '#modules/conversion/storage-source.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { documentErrors } from './document.contract.ts';

export const DOCUMENT_FILE = attachmentTypes.document;
export type DocumentFile = typeof attachments.$inferSelect;

/** What the stored bytes are. Reads a few of them, so it stays outside of transactions. */
export async function formatOf(ctx: Context, { hash, ext }: Pick<DocumentFile, 'hash' | 'ext'>): Promise<FileFormat> {
  const key = originalKey(hash);
  const found = await ctx.storage.stat(key);
  if (!found) throw documentErrors.missingFile();
  return detectFormat(storageSource(ctx, key, found.size), ext.replace('.', ''));
}

const usable = (ctx: UserContext, ids: number[]) =>
  and(inArray(attachments.id, ids), eq(attachments.user_id, ctx.user.id), eq(attachments.type, DOCUMENT_FILE));

/** Uploaded files of the caller that no document uses yet, in the order asked for. */
export async function findUploadedFiles(ctx: UserContext, ids: number[]): Promise<DocumentFile[]> {
  const rows = await ctx.db.select().from(attachments).where(usable(ctx, ids)).orderBy(attachments.id);
  return inOrder(ids, rows);
}

/** The same, locked, so that nobody else uses, bans or removes them before they are taken. */
export async function lockUploadedFiles(ctx: UserContext, ids: number[]): Promise<DocumentFile[]> {
  const rows = await ctx.db.select().from(attachments).where(usable(ctx, ids)).orderBy(attachments.id).for('update');
  return inOrder(ids, rows);
}

function inOrder(ids: number[], rows: DocumentFile[]): DocumentFile[] {
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
