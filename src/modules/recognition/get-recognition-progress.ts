import { and, eq } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { hiddenDocumentError } from '#modules/document/hidden-document-error.ts';
import { canRead, isVisibleToCaller } from '#modules/document/visibility.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import type { recognitionApi } from './recognition.contract.ts';
import { recognitionTasks } from './recognition.table.ts';
import { countRecognizedPages } from './recognized-page.ts';

const NO_SCANNED_PAGES = { pages: 0, recognized: 0, pending: false };

export async function getRecognitionProgress(ctx: Context, { id }: ParsedInputOf<typeof recognitionApi.progress>) {
  const [row] = await ctx.db
    .select({
      document: documents,
      renditionId: renditions.id,
      pages: renditions.scanned_pages,
      task: recognitionTasks,
    })
    .from(documents)
    .leftJoin(renditions, eq(renditions.id, documents.rendition_id))
    .leftJoin(recognitionTasks, eq(recognitionTasks.rendition_id, renditions.id))
    .where(and(eq(documents.id, id), isVisibleToCaller(ctx)));
  if (!row) throw await hiddenDocumentError(ctx, id);
  const { document, renditionId, pages, task } = row;
  if (!renditionId || !pages || !canRead(ctx, document)) return NO_SCANNED_PAGES;
  const { converter } = await getSettings(ctx);
  const recognizedPages = await countRecognizedPages(ctx, renditionId);
  // The task is created shortly after the conversion has counted the scanned pages.
  return { pages, recognized: recognizedPages, pending: converter.enable_ocr && (!task || task.state === 'waiting') };
}
