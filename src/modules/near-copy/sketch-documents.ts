import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documents } from '#modules/document/document.table.ts';
import type { DocumentEventType } from '#modules/document/document-events.ts';
import type { Context } from '#platform/server/context.ts';
import type { SubjectEvents } from '#platform/server/events/deliver-events.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { nearCopySketches } from './near-copy.table.ts';
import { ensureSketch } from './store-sketch.ts';

const BATCH_SIZE = 200;

/** Events after which the text of a document may have changed. */
const sketchEvents: ReadonlySet<string> = new Set<DocumentEventType>([
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
    for (const { id } of rows) if (id !== null && !signal.aborted) await ensureSketch(ctx, id);
  },
});

export async function queueSketches(ctx: Context, changes: readonly SubjectEvents[]): Promise<void> {
  const ids = changes.filter(({ types }) => types.some((type) => sketchEvents.has(type))).map(({ id }) => id);
  if (ids.length > 0) await ctx.jobs.send(sketchDocuments, { id: ids });
}

/** Sketches files from before the comparison existed, and those whose job failed. */
export const sketchRemainingFiles = defineJob({
  name: 'sketch-remaining-files',
  input: z.object({}),
  timeoutSeconds: 6 * 3_600,
  run: async (ctx: Context, _input, { signal }) => {
    const { version, recognized_pages, rendition_id } = nearCopySketches;
    const isMissing = or(
      isNull(rendition_id),
      sql`(${version}, ${recognized_pages}) <> (${renditions.version}, ${renditions.recognized_pages})`,
    );
    for (let last = 0; !signal.aborted; ) {
      const rows = await ctx.db
        .select({ id: renditions.id })
        .from(renditions)
        .leftJoin(nearCopySketches, eq(rendition_id, renditions.id))
        .where(and(eq(renditions.state, 'ready'), sql`${renditions.id} > ${last}`, isMissing))
        .orderBy(renditions.id)
        .limit(BATCH_SIZE);
      for (const { id } of rows) {
        if (signal.aborted) return;
        await ensureSketch(ctx, id);
        last = id;
      }
      if (rows.length < BATCH_SIZE) return;
    }
  },
});
