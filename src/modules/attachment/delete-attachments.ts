import { eq, inArray } from 'drizzle-orm';
import { recordRemoval } from '#modules/audit/audit.ts';
import { listSettingImages, lockSettings } from '#modules/settings/load-settings.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { mayEraseFiles } from '#platform/server/storage/erase-lock.ts';
import { attachmentTypes } from './attachment.contract.ts';
import { attachments } from './attachment.table.ts';
import { recordRemovedFiles } from './document-attachments.ts';
import { lockFile } from './link-attachments.ts';
import { attachmentErrors } from './manage-attachments.contract.ts';

const RETRY_SECONDS = 60;
type Row = typeof attachments.$inferSelect;

/** Deletes unused files: all of them or none. Used files are deleted together with the row that uses them. */
export async function deleteAttachments(ctx: UserContext, { id: ids }: { id: number[] }) {
  const isRequested = inArray(attachments.id, ids);
  await inTransaction(ctx, async (ctx) => {
    if (!(await mayEraseFiles(ctx.db))) throw httpErrors.unavailable('网站正在备份，请稍后再删除附件', RETRY_SECONDS);
    const pathRows = await ctx.db.selectDistinct({ path: attachments.path }).from(attachments).where(isRequested);
    for (const path of pathRows.map((row) => row.path).sort()) await lockFile(ctx, path);
    const rows = await ctx.db.select().from(attachments).where(isRequested).orderBy(attachments.id).for('update');
    if (rows.length < new Set(ids).size) throw attachmentErrors.notFound();
    await assertUnused(ctx, rows);
    await ctx.db.delete(attachments).where(isRequested);
    await eraseFiles(ctx, rows);
    await recordRemoval(
      ctx,
      { action: '删除附件', kind: '附件', ids },
      rows.map(({ id, name, hash, path, size }) => ({
        id,
        name,
        values: { name, hash, path, size },
      })),
    );
  });
  return {};
}

async function assertUnused(ctx: Context, rows: Row[]): Promise<void> {
  await lockSettings(ctx);
  const sitePictures = await listSettingImages(ctx);
  for (const { type_id, enable, path, name } of rows) {
    if (type_id > 0 || sitePictures.includes(path))
      throw attachmentErrors.inUse(`“${name || path}”正在使用中，随使用它的内容一起删除`);
    if (!enable) throw attachmentErrors.banned();
  }
}

/**
 * Erases pictures immediately; document files are erased after their retention time. A file that another row refers to
 * stays.
 */
async function eraseFiles(ctx: Context, rows: Row[]): Promise<void> {
  const documentFiles = rows.filter(({ type }) => type === attachmentTypes.document);
  await recordRemovedFiles(
    ctx,
    documentFiles.map(({ hash }) => hash),
  );
  const pictures = rows.filter((row) => !documentFiles.includes(row));
  for (const path of new Set(pictures.map((row) => row.path))) {
    const [remainingRow] = await ctx.db
      .select({ id: attachments.id })
      .from(attachments)
      .where(eq(attachments.path, path))
      .limit(1);
    if (!remainingRow) await ctx.storage.delete(path.slice(1));
  }
}
