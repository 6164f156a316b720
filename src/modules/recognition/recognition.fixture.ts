import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { recognizedWordsKey } from '#modules/conversion/rendition-keys.ts';
import { documents } from '#modules/document/document.table.ts';
import type { Context } from '#platform/server/context.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { recognizedPages } from './recognition.table.ts';
import { updateRecognizedRendition } from './update-recognized-rendition.ts';

/** Stores recognized lines for a page of a document as a worker would. */
export async function addRecognizedPage(
  ctx: Context,
  documentId: number,
  page: number,
  lines: string[],
): Promise<void> {
  const [row] = await ctx.db
    .select({ rendition: renditions })
    .from(documents)
    .innerJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(eq(documents.id, documentId));
  if (!row) throw new Error(`document ${documentId} has no rendition`);
  const { rendition } = row;
  const words = lines.map((line, index) => [[line, 1_000, 1_000 + index * 300, line.length * 200, 200]]);
  await ctx.storage.put(recognizedWordsKey(rendition, page), gzipSync(JSON.stringify(words)));
  await ctx.db
    .insert(recognizedPages)
    .values({ rendition_id: rendition.id, page, text: lines.join('\n'), confidence: 0.9, engine: 'test' });
  await updateRecognizedRendition(ctx, rendition.id);
  await waitForEventDelivery(ctx);
}
