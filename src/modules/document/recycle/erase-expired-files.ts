import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { removedFiles } from '#modules/attachment/attachment.table.ts';
import { isHashUsed } from '#modules/attachment/document-attachments.ts';
import { lockOriginal } from '#modules/conversion/lock-original.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { blobPrefix } from '#modules/conversion/rendition-keys.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { mayEraseFiles } from '#platform/server/storage/erase-lock.ts';
import { documents } from '../document.table.ts';

const BATCH_SIZE = 100;
const MINUTE_MS = 60_000;

type FileUse = 'used' | 'busy' | 'unused';

const deleteRemovedFileRow = (ctx: Context, hash: string) =>
  ctx.db.delete(removedFiles).where(eq(removedFiles.hash, hash));

/** Deletes the renditions of an unused file, so that no request can find its pages any more. */
const deleteRenditions = (ctx: Context, hash: string): Promise<FileUse> =>
  inTransaction(ctx, async (ctx) => {
    await lockOriginal(ctx, hash);
    const renditionRows = await ctx.db
      .select({
        id: renditions.id,
        isLeased: sql<boolean>`coalesce(${renditions.lease_until} > now(), false)`,
      })
      .from(renditions)
      .where(eq(renditions.hash, hash))
      .orderBy(renditions.id)
      .for('update');
    const ids = renditionRows.map(({ id }) => id);
    const [document] = await ctx.db
      .select({ id: documents.id })
      .from(documents)
      .where(inArray(documents.rendition_id, ids))
      .limit(1);
    if (document || (await isHashUsed(ctx, hash))) {
      await deleteRemovedFileRow(ctx, hash);
      return 'used';
    }
    // A running conversion would write files again; the next run erases them.
    if (renditionRows.some(({ isLeased }) => isLeased)) return 'busy';
    await ctx.db.delete(renditions).where(inArray(renditions.id, ids));
    return 'unused';
  });

/** Skips a file that was uploaded again meanwhile. During a backup the next run erases it. */
const eraseStoredFile = (ctx: Context, hash: string): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    if (!(await mayEraseFiles(ctx.db))) return false;
    await lockOriginal(ctx, hash);
    const [rendition] = await ctx.db
      .select({ id: renditions.id })
      .from(renditions)
      .where(eq(renditions.hash, hash))
      .limit(1);
    const isUsedAgain = rendition !== undefined || (await isHashUsed(ctx, hash));
    if (!isUsedAgain) await ctx.storage.deletePrefix(blobPrefix(hash));
    await deleteRemovedFileRow(ctx, hash);
    return !isUsedAgain;
  });

export async function eraseExpiredFiles(ctx: Context, signal?: AbortSignal): Promise<number> {
  const { attachment_retention_minute: minutes } = (await getSettings(ctx)).security;
  const due = new Date(ctx.now().getTime() - minutes * MINUTE_MS).toISOString();
  let erasedCount = 0;
  for (let last = ''; !signal?.aborted; ) {
    const batch = await ctx.db
      .select()
      .from(removedFiles)
      .where(and(lte(removedFiles.removed_at, due), gt(removedFiles.hash, last)))
      .orderBy(removedFiles.hash)
      .limit(BATCH_SIZE);
    for (const { hash } of batch) {
      if (signal?.aborted) break;
      if ((await deleteRenditions(ctx, hash)) === 'unused' && (await eraseStoredFile(ctx, hash))) erasedCount += 1;
      last = hash;
    }
    if (batch.length < BATCH_SIZE) break;
  }
  return erasedCount;
}

export const eraseRemovedFiles = defineJob({
  name: 'erase-removed-files',
  input: z.object({}),
  run: async (ctx: Context, _input, { signal }) => {
    const erasedCount = await eraseExpiredFiles(ctx, signal);
    if (erasedCount > 0) ctx.log.info({ erased: erasedCount }, 'files of erased documents removed');
  },
});
