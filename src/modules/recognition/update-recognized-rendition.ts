import { eq } from 'drizzle-orm';
import { changeRenditions } from '#modules/conversion/change-renditions.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { summarizeText } from '#modules/conversion/summarize-text-file.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { recordEvents } from '#platform/server/events/record-events.ts';
import { recognizedPages } from './recognition.table.ts';
import { countRecognizedPages } from './recognized-page.ts';

/** As many pages as a summary and the language need. */
const SUMMARIZED_PAGES = 10;

/**
 * Writes the number of recognized pages and a missing summary to the rendition, and records an event, which search, related
 * documents and cached pages follow. Returns the number of recognized pages.
 */
export const updateRecognizedRendition = (ctx: Context, renditionId: number): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const recognized_pages = await countRecognizedPages(ctx, renditionId);
    const [rendition] = await ctx.db
      .select({ summary: renditions.summary })
      .from(renditions)
      .where(eq(renditions.id, renditionId));
    const description = rendition?.summary === '' ? await describeRecognizedText(ctx, renditionId) : {};
    await changeRenditions(ctx, eq(renditions.id, renditionId), { recognized_pages, ...description });
    await recordEvents(ctx, 'rendition', 'changed', [renditionId]);
    return recognized_pages;
  });

/** The summary is that of the first page, as for other documents; the language is that of the first pages. */
async function describeRecognizedText(ctx: Context, renditionId: number) {
  const rows = await ctx.db
    .select({ page: recognizedPages.page, text: recognizedPages.text })
    .from(recognizedPages)
    .where(eq(recognizedPages.rendition_id, renditionId))
    .orderBy(recognizedPages.page)
    .limit(SUMMARIZED_PAGES);
  const texts = rows.map(({ text }) => text);
  return summarizeText((rows[0]?.page === 1 ? texts : ['', ...texts]).join('\f'));
}
