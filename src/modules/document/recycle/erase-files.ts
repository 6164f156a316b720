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
import { mayErase } from '#platform/server/storage/erase-lock.ts';
import { documents } from '../document.table.ts';

const BATCH = 100;
const MINUTE_MS = 60_000;

type Step = 'used' | 'busy' | 'unused';

const forget = (ctx: Context, hash: string) => ctx.db.delete(removedFiles).where(eq(removedFiles.hash, hash));

/** Gives up what is known of a file that nothing uses: from now on nobody finds its pages. */
const forgetContents = (ctx: Context, hash: string): Promise<Step> =>
  inTransaction(ctx, async (ctx) => {
    await lockOriginal(ctx, hash);
    const made = await ctx.db
      .select({
        id: renditions.id,
        isHeld: sql<boolean>`coalesce(${renditions.lease_until} > now(), false)`,
      })
      .from(renditions)
      .where(eq(renditions.hash, hash))
      .orderBy(renditions.id)
      .for('update');
    const ids = made.map(({ id }) => id);
    const [document] = await ctx.db
      .select({ id: documents.id })
      .from(documents)
      .where(inArray(documents.content_id, ids))
      .limit(1);
    if (document || (await isHashUsed(ctx, hash))) {
      await forget(ctx, hash);
      return 'used';
    }
    // Whoever is converting it would write behind our back; there is a next time.
    if (made.some(({ isHeld }) => isHeld)) return 'busy';
    await ctx.db.delete(renditions).where(inArray(renditions.id, ids));
    return 'unused';
  });

/** Erases the bytes, unless the same file has come back in between. During a backup there is a next time. */
const eraseBytes = (ctx: Context, hash: string): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    if (!(await mayErase(ctx.db))) return false;
    await lockOriginal(ctx, hash);
    const [content] = await ctx.db
      .select({ id: renditions.id })
      .from(renditions)
      .where(eq(renditions.hash, hash))
      .limit(1);
    const isBack = content !== undefined || (await isHashUsed(ctx, hash));
    if (!isBack) await ctx.storage.deletePrefix(blobPrefix(hash));
    await forget(ctx, hash);
    return !isBack;
  });

/** Erases files whose time has come. Says how many. */
export async function eraseFiles(ctx: Context, signal?: AbortSignal): Promise<number> {
  const { attachment_retention_minute: minutes } = (await getSettings(ctx)).security;
  const due = new Date(ctx.now().getTime() - minutes * MINUTE_MS).toISOString();
  let erased = 0;
  for (let last = ''; !signal?.aborted; ) {
    const batch = await ctx.db
      .select()
      .from(removedFiles)
      .where(and(lte(removedFiles.removed_at, due), gt(removedFiles.hash, last)))
      .orderBy(removedFiles.hash)
      .limit(BATCH);
    for (const { hash } of batch) {
      if (signal?.aborted) break;
      if ((await forgetContents(ctx, hash)) === 'unused' && (await eraseBytes(ctx, hash))) erased += 1;
      last = hash;
    }
    if (batch.length < BATCH) break;
  }
  return erased;
}

export const eraseRemovedFiles = defineJob({
  name: 'erase-removed-files',
  input: z.object({}),
  run: async (ctx: Context, _input, { signal }) => {
    const erased = await eraseFiles(ctx, signal);
    if (erased > 0) ctx.log.info({ erased }, 'files of erased documents removed');
  },
});
