import { and, gt, inArray } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documents } from '#modules/document/document.table.ts';
import type { DocumentEventType } from '#modules/document/document-events.ts';
import type { Context } from '#platform/server/context.ts';
import type { SubjectEvents } from '#platform/server/events/deliver-events.ts';
import { queueRenditions } from './recognition-queue.ts';

/** Events after which a document may have scanned pages that were not recognized yet. */
const recognitionEvents: ReadonlySet<string> = new Set<DocumentEventType>([
  'created',
  'file-changed',
  'reviewed',
  'converted',
]);

/** Queues the files of changed documents that have scanned pages. */
export async function queueRecognition(ctx: Context, changes: readonly SubjectEvents[]): Promise<void> {
  const ids = changes.filter(({ types }) => types.some((type) => recognitionEvents.has(type))).map(({ id }) => id);
  if (ids.length === 0) return;
  const renditionIds = ctx.db.select({ id: documents.rendition_id }).from(documents).where(inArray(documents.id, ids));
  await queueRenditions(ctx, and(inArray(renditions.id, renditionIds), gt(renditions.scanned_pages, 0)));
}
