import { and, asc, eq, gte, lte } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { recognizedPages } from './recognition.table.ts';

/** Recognized texts by page. Asks the database only if `recognized_pages` of the rendition is positive. */
export async function readRecognizedTexts(
  ctx: Context,
  rendition: { id: number; recognized_pages: number },
): Promise<Map<number, string>> {
  if (rendition.recognized_pages === 0) return new Map();
  const rows = await ctx.db
    .select({ page: recognizedPages.page, text: recognizedPages.text })
    .from(recognizedPages)
    .where(eq(recognizedPages.rendition_id, rendition.id))
    .orderBy(asc(recognizedPages.page));
  return new Map(rows.map(({ page, text }) => [page, text]));
}

/** Numbers of the pages in a range whose text was recognized. */
export async function listRecognizedPages(
  ctx: Context,
  rendition: { id: number; recognized_pages: number },
  { from, to }: { from: number; to: number },
): Promise<Set<number>> {
  if (rendition.recognized_pages === 0) return new Set();
  const { page, rendition_id, text } = recognizedPages;
  const rows = await ctx.db
    .select({ page, text })
    .from(recognizedPages)
    .where(and(eq(rendition_id, rendition.id), gte(page, from), lte(page, to)));
  return new Set(rows.filter((row) => row.text !== '').map((row) => row.page));
}

/** Inserts recognized texts into a text whose pages are separated by form feeds. */
export function insertRecognizedTexts(text: string, recognizedTexts: ReadonlyMap<number, string>): string {
  if (recognizedTexts.size === 0) return text;
  const pages = text.split('\f');
  const pageCount = Math.max(pages.length, ...recognizedTexts.keys());
  return Array.from({ length: pageCount }, (_, index) => recognizedTexts.get(index + 1) || (pages[index] ?? '')).join(
    '\f',
  );
}
