import { and, eq } from 'drizzle-orm';
import { documents } from '#modules/document/document.table.ts';
import { hiddenDocumentError } from '#modules/document/hidden-document-error.ts';
import { isVisibleToCaller } from '#modules/document/visibility.ts';
import type { Context } from '#platform/server/context.ts';
import { findWatermarkMode } from './find-watermark-mode.ts';
import { watermarkText } from './watermark-text.ts';

export async function getWatermark(ctx: Context, { id }: { id: number }) {
  const [document] = await ctx.db
    .select({ id: documents.id, watermark: documents.watermark })
    .from(documents)
    .where(and(eq(documents.id, id), isVisibleToCaller(ctx)));
  if (!document) throw await hiddenDocumentError(ctx, id);
  const mode = await findWatermarkMode(ctx, document);
  return { text: mode === 'off' ? '' : await watermarkText(ctx) };
}
