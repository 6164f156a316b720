import { and, eq, gt, lt, ne } from 'drizzle-orm';
import * as z from 'zod/mini';
import { lockSettings, settingPictures } from '#modules/settings/load-settings.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { mayErase } from '#platform/server/storage/erase-lock.ts';
import { attachmentTypes } from './attachment.contract.ts';
import { attachments } from './attachment.table.ts';
import { lockFile } from './attachment.ts';
import { removeUnusedUploads } from './document-attachments.ts';

/** Long enough for anybody to finish the form the picture was uploaded for. */
const KEEP_MS = 24 * 60 * 60 * 1000;
const BATCH = 200;

/**
 * Pictures uploaded long ago and used by no row. Banned files stay, for their rows refuse new
 * uploads.
 */
const unusedSince = (before: string) =>
  and(
    eq(attachments.type_id, 0),
    eq(attachments.enable, true),
    ne(attachments.type, attachmentTypes.document),
    lt(attachments.created_at, before),
  );

/** Forgets an unused file, and erases it unless another row stands for the same bytes. */
const removeUnused = (ctx: Context, path: string, before: string): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    if (!(await mayErase(ctx.db))) return false;
    await lockFile(ctx, path);
    await lockSettings(ctx);
    if ((await settingPictures(ctx)).includes(path)) return false;
    await ctx.db.delete(attachments).where(and(eq(attachments.path, path), unusedSince(before)));
    const [kept] = await ctx.db
      .select({ id: attachments.id })
      .from(attachments)
      .where(eq(attachments.path, path))
      .limit(1);
    if (kept) return false;
    await ctx.storage.delete(path.slice(1));
    return true;
  });

export async function removeUnusedFiles(ctx: Context, signal?: AbortSignal): Promise<number> {
  const before = new Date(ctx.now().getTime() - KEEP_MS).toISOString();
  let removed = await inTransaction(ctx, (ctx) => removeUnusedUploads(ctx, before));
  let last = 0;
  while (!signal?.aborted) {
    const batch = await ctx.db
      .select({ id: attachments.id, path: attachments.path })
      .from(attachments)
      .where(and(unusedSince(before), gt(attachments.id, last)))
      .orderBy(attachments.id)
      .limit(BATCH);
    const paths = new Set(batch.map(({ path }) => path));
    for (const path of paths) {
      if (signal?.aborted) break;
      if (await removeUnused(ctx, path, before)) removed++;
    }
    last = batch.at(-1)?.id ?? last;
    if (batch.length < BATCH) break;
  }
  return removed;
}

export const cleanUnusedFiles = defineJob({
  name: 'clean-unused-files',
  input: z.object({}),
  run: async (ctx: Context, _input, { signal }) => {
    const removed = await removeUnusedFiles(ctx, signal);
    if (removed > 0) ctx.log.info({ removed }, 'unused files removed');
  },
});
