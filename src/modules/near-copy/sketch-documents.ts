import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documents } from '#modules/document/document.table.ts';
import type { DocumentEventType } from '#modules/document/document-events.ts';
import type { Context } from '#platform/server/context.ts';
import type { SubjectEvents } from '#platform/server/events/deliver-events.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { nearCopyFailures, nearCopySketches } from './near-copy.table.ts';
import { ensureSketch } from './store-sketch.ts';
import { updateTwinGroups } from './update-twin-groups.ts';

const BATCH_SIZE = 200;
/** After the first failure the next night tries again; each further failure adds this time, up to a limit. */
const RETRY_STEP_HOURS = 20;
const MAX_RETRY_STEPS = 7;

/** Events after which the text of a document may have changed. */
const sketchEvents: ReadonlySet<string> = new Set<DocumentEventType>([
  // A new document of a file that is converted already.
  'created',
  'file-changed',
  'reviewed',
  'converted',
  'pages-changed',
]);

export const sketchDocuments = defineJob({
  name: 'sketch-documents',
  input: z.object({ id: z.array(z.int()) }),
  timeoutSeconds: 3_600,
  run: async (ctx: Context, { id: ids }, { signal }) => {
    const rows = await ctx.db
      .selectDistinct({ id: documents.rendition_id })
      .from(documents)
      .where(and(inArray(documents.id, ids), isNotNull(documents.rendition_id)));
    for (const { id } of rows) if (id !== null && !signal.aborted) await sketchOrRecordFailure(ctx, id);
  },
});

export async function queueSketches(ctx: Context, changes: readonly SubjectEvents[]): Promise<void> {
  const ids = changes.filter(({ types }) => types.some((type) => sketchEvents.has(type))).map(({ id }) => id);
  if (ids.length > 0) await ctx.jobs.send(sketchDocuments, { id: ids });
}

/** A file that cannot be read does not keep the others from being compared. */
async function sketchOrRecordFailure(ctx: Context, id: number): Promise<void> {
  try {
    if (await ensureSketch(ctx, id)) await updateTwinGroups(ctx, id);
  } catch (error) {
    ctx.log.warn({ err: error, rendition: id }, 'reading a file for the comparison failed');
    await recordFailure(ctx, id, error);
    return;
  }
  await ctx.db.delete(nearCopyFailures).where(eq(nearCopyFailures.rendition_id, id));
}

async function recordFailure(ctx: Context, id: number, error: unknown): Promise<void> {
  const failedAt = ctx.now().toISOString();
  const reason = error instanceof Error ? error.message : String(error);
  // Selects the file, because it may have been erased meanwhile.
  await ctx.db.execute(sql`
    insert into ${nearCopyFailures} as failure (rendition_id, attempts, reason, failed_at, retry_at)
    select id, 1, ${reason}, ${failedAt}, ${failedAt} from ${renditions} where id = ${id}
    on conflict (rendition_id) do update set attempts = failure.attempts + 1, reason = excluded.reason,
      failed_at = excluded.failed_at, retry_at = excluded.failed_at
        + least(failure.attempts, ${MAX_RETRY_STEPS}::int) * ${RETRY_STEP_HOURS}::int * interval '1 hour'`);
}

/** Compares files from before the comparison existed, and then those that could not be read. */
export const sketchRemainingFiles = defineJob({
  name: 'sketch-remaining-files',
  input: z.object({}),
  timeoutSeconds: 6 * 3_600,
  run: async (ctx: Context, _input, { signal }) => {
    const startedAt = ctx.now().toISOString();
    const { rendition_id, retry_at } = nearCopyFailures;
    await sketchMissing(ctx, isNull(rendition_id), signal);
    // A file that fails in this run is not due again in it.
    await sketchMissing(ctx, sql`${retry_at} < ${startedAt}`, signal);
  },
});

async function sketchMissing(ctx: Context, condition: SQL, signal: AbortSignal): Promise<void> {
  const { version, recognized_pages, rendition_id, twin_group } = nearCopySketches;
  const isMissing = or(
    isNull(rendition_id),
    isNull(twin_group),
    sql`(${version}, ${recognized_pages}) <> (${renditions.version}, ${renditions.recognized_pages})`,
  );
  for (let last = 0; ; ) {
    const rows = await ctx.db
      .select({ id: renditions.id })
      .from(renditions)
      .leftJoin(nearCopySketches, eq(rendition_id, renditions.id))
      .leftJoin(nearCopyFailures, eq(nearCopyFailures.rendition_id, renditions.id))
      .where(and(eq(renditions.state, 'ready'), sql`${renditions.id} > ${last}`, isMissing, condition))
      .orderBy(renditions.id)
      .limit(BATCH_SIZE);
    for (const { id } of rows) {
      if (signal.aborted) return;
      await sketchOrRecordFailure(ctx, id);
      last = id;
    }
    if (rows.length < BATCH_SIZE) return;
  }
}
