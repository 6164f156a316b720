import { gzipSync } from 'node:zlib';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Rendition } from '#modules/conversion/rendition.ts';
import { recognizedWordsKey } from '#modules/conversion/rendition-keys.ts';
import type { RecognizedText } from '#modules/conversion/scanned-document.ts';
import type { Context } from '#platform/server/context.ts';
import { recognizedPages } from './recognition.table.ts';

/** Stores the recognized words of a page. Storing a page twice has the same result. */
export async function storeRecognizedPage(
  ctx: Context,
  rendition: Rendition,
  page: number,
  { words, text, confidence, engine }: RecognizedText,
): Promise<void> {
  if (text) await ctx.storage.put(recognizedWordsKey(rendition, page), gzipSync(JSON.stringify(words)));
  await upsertRecognizedPage(ctx, rendition.id, page, { text, confidence, engine });
}

/** Records that the engine failed on a page, so that the other pages are recognized. */
export const markPageUnrecognized = (ctx: Context, renditionId: number, page: number): Promise<void> =>
  upsertRecognizedPage(ctx, renditionId, page, { text: '', confidence: 0, engine: '' });

async function upsertRecognizedPage(
  ctx: Context,
  rendition_id: number,
  page: number,
  values: Pick<typeof recognizedPages.$inferInsert, 'text' | 'confidence' | 'engine'>,
): Promise<void> {
  await ctx.db
    .insert(recognizedPages)
    .values({ rendition_id, page, ...values })
    .onConflictDoUpdate({
      target: [recognizedPages.rendition_id, recognizedPages.page],
      set: { ...values, recognized_at: sql`now()` },
    });
}

/** Counts the finished pages of a rendition, optionally only those that fulfil a condition. */
export async function countRecognizedPages(ctx: Context, renditionId: number, condition?: SQL): Promise<number> {
  const [row] = await ctx.db
    .select({ total: sql<number>`count(*)::int` })
    .from(recognizedPages)
    .where(and(eq(recognizedPages.rendition_id, renditionId), condition));
  return row?.total ?? 0;
}
