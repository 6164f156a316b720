import { and, asc, eq, gt, inArray, lt, or, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { mayEraseFiles } from '#platform/server/storage/erase-lock.ts';
import { changeRenditions } from './change-renditions.ts';
import { CONVERSION_QUEUE } from './conversion-queue.ts';
import { renditions, replacedRenditions } from './rendition.table.ts';
import { formatVersions } from './rendition.ts';
import { renditionStorageKeys } from './rendition-keys.ts';

/** The lowest priority. */
const LOWEST_QUEUE_LEVEL = 2;
const BATCH_SIZE = 100;
/** An outdated document that has not been converted after this time is queued again. */
const REQUEUE_MINUTES = 120;

const isOutdated = or(
  ...formatVersions.map(({ format, version }) => and(eq(renditions.format, format), lt(renditions.version, version))),
);

/** Queues renditions of an older pipeline and removes the files of replaced ones. */
export const requeueOutdated = defineJob({
  name: 'requeue-outdated-conversions',
  input: z.object({}),
  run: async (ctx: Context) => {
    await enqueueOutdated(ctx);
    await deleteReplacedRenditionFiles(ctx);
  },
});

/** Documents stay readable while they wait; a failed conversion withdraws the old pages. */
const enqueueOutdated = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .select({ id: renditions.id, state: renditions.state })
      .from(renditions)
      .where(
        and(
          isOutdated,
          gt(renditions.version, 0),
          inArray(renditions.state, ['ready', 'failed']),
          or(
            eq(renditions.is_outdated, false),
            lt(renditions.updated_at, sql`now() - make_interval(mins => ${REQUEUE_MINUTES})`),
          ),
        ),
      )
      .orderBy(asc(renditions.id))
      .limit(BATCH_SIZE)
      .for('no key update', { skipLocked: true });
    for (const { id, state } of rows) {
      await changeRenditions(ctx, eq(renditions.id, id), {
        is_outdated: true,
        has_pdf: false,
        convert_after: sql`now()`,
        queue_level: LOWEST_QUEUE_LEVEL,
        interruptions: 0,
        skip_pages: [],
        ...(state === 'failed' && { state: 'waiting' as const, reason: '', attempts: 0 }),
      });
    }
    if (rows.length > 0) await notifyInvalidation(ctx.db, CONVERSION_QUEUE);
  });

/** Nothing is erased during a backup; the next run continues. */
async function deleteReplacedRenditionFiles(ctx: Context): Promise<void> {
  const rows = await ctx.db.select().from(replacedRenditions).limit(BATCH_SIZE);
  for (const rendition of rows)
    await inTransaction(ctx, async (ctx) => {
      if (!(await mayEraseFiles(ctx.db))) return;
      await ctx.storage.deletePrefix(renditionStorageKeys(rendition).prefix);
      const { hash, format, version } = replacedRenditions;
      await ctx.db
        .delete(replacedRenditions)
        .where(and(eq(hash, rendition.hash), eq(format, rendition.format), eq(version, rendition.version)));
    });
}
