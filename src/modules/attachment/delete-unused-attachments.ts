import { and, eq, gt, lt, ne } from 'drizzle-orm';
import * as z from 'zod/mini';
import { listSettingImages, lockSettings } from '#modules/settings/load-settings.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { mayEraseFiles } from '#platform/server/storage/erase-lock.ts';
import { attachmentTypes } from './attachment.contract.ts';
import { attachments } from './attachment.table.ts';
import { deleteUnusedDocumentUploads } from './document-attachments.ts';
import { lockFile } from './link-attachments.ts';

/** Users need time to finish the form for which they uploaded the picture. */
const UNUSED_RETENTION_MS = 24 * 60 * 60 * 1000;
const BATCH_SIZE = 200;

/** Old pictures that no row uses. Banned files stay, because their rows reject new uploads. */
const isUnusedSince = (before: string) =>
  and(
    eq(attachments.type_id, 0),
    eq(attachments.enable, true),
    ne(attachments.type, attachmentTypes.document),
    lt(attachments.created_at, before),
  );

/** Deletes the row of an unused file, and its bytes unless another row refers to them. */
const deleteUnused = (ctx: Context, path: string, before: string): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    if (!(await mayEraseFiles(ctx.db))) return false;
    await lockFile(ctx, path);
    await lockSettings(ctx);
    if ((await listSettingImages(ctx)).includes(path)) return false;
    await ctx.db.delete(attachments).where(and(eq(attachments.path, path), isUnusedSince(before)));
    const [remainingRow] = await ctx.db
      .select({ id: attachments.id })
      .from(attachments)
      .where(eq(attachments.path, path))
      .limit(1);
    if (remainingRow) return false;
    await ctx.storage.delete(path.slice(1));
    return true;
  });

export async function deleteUnusedAttachments(ctx: Context, signal?: AbortSignal): Promise<number> {
  const before = new Date(ctx.now().getTime() - UNUSED_RETENTION_MS).toISOString();
  let deletedCount = await inTransaction(ctx, (ctx) => deleteUnusedDocumentUploads(ctx, before));
  let lastId = 0;
  while (!signal?.aborted) {
    const batch = await ctx.db
      .select({ id: attachments.id, path: attachments.path })
      .from(attachments)
      .where(and(isUnusedSince(before), gt(attachments.id, lastId)))
      .orderBy(attachments.id)
      .limit(BATCH_SIZE);
    const paths = new Set(batch.map(({ path }) => path));
    for (const path of paths) {
      if (signal?.aborted) break;
      if (await deleteUnused(ctx, path, before)) deletedCount++;
    }
    lastId = batch.at(-1)?.id ?? lastId;
    if (batch.length < BATCH_SIZE) break;
  }
  return deletedCount;
}

export const deleteUnusedAttachmentsJob = defineJob({
  name: 'delete-unused-attachments',
  input: z.object({}),
  run: async (ctx: Context, _input, { signal }) => {
    const deletedCount = await deleteUnusedAttachments(ctx, signal);
    if (deletedCount > 0) ctx.log.info({ deletedCount }, 'deleted unused attachments');
  },
});
