import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dequeuePageRenderRequests } from '#modules/conversion/page-render-requests.ts';
import { pageRenderRequests } from '#modules/conversion/rendition.table.ts';
import {
  addDocument,
  createCategoryChain,
  newUploader,
  setConversionState,
} from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx, pool } = await testApp();
const owner = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);

/** A document of twenty pages with three rendered; no worker processes the queue. */
async function newPartlyRenderedDocument() {
  const { id } = await addDocument(ctx, owner, { category_id });
  const progress = { view: 'pages', pages: 20, ready_pages: 3, width: 800, height: 1_000 } as const;
  await setConversionState(ctx, id, 'readable', progress);
  const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  const renditionId = row?.rendition_id ?? 0;
  return {
    read: async (page: number, size: number) =>
      (await app.inject(`/api/v1/document/pages?id=${id}&page=${page}&size=${size}`)).json(),
    takeRequests: () => dequeuePageRenderRequests(ctx, renditionId),
    requestedPages: async () => {
      const rows = await ctx.db
        .select()
        .from(pageRenderRequests)
        .where(eq(pageRenderRequests.rendition_id, renditionId));
      return rows.map(({ page }) => page).sort((a, b) => a - b);
    },
    /** Number of urgent queue entries of the document, 0 or 1. */
    urgentCount: async () => {
      const { rowCount } = await pool.query(
        'select 1 from renditions where id = $1 and is_urgent and convert_after is not null',
        [renditionId],
      );
      return rowCount;
    },
  };
}

test('a request for a page that is not rendered yet queues that page with priority', async () => {
  const { read, requestedPages, urgentCount } = await newPartlyRenderedDocument();
  const { page } = await read(12, 3);
  expect(page).toMatchObject([12, 13, 14].map((page) => ({ page, pending: true, url: '' })));
  expect([await requestedPages(), await urgentCount()]).toEqual([[12], 1]);
  // Repeated requests add no second entry.
  await read(12, 3);
  await read(17, 1);
  expect([await requestedPages(), await urgentCount()]).toEqual([[12, 17], 1]);
});

test('the next poll of the reader requests a page again that a worker took without rendering it', async () => {
  const { read, takeRequests, requestedPages } = await newPartlyRenderedDocument();
  await read(12, 3);
  expect(await takeRequests()).toEqual([12]);
  expect(await requestedPages()).toEqual([]);
  const { page } = await read(12, 3);
  // The reader polls while a page of the response is pending.
  expect(page).toMatchObject([12, 13, 14].map((page) => ({ page, pending: true })));
  expect(await requestedPages()).toEqual([12]);
});

test('rendered pages and pages beyond the preview limit are never queued', async () => {
  const { read, requestedPages, urgentCount } = await newPartlyRenderedDocument();
  const { page } = await read(1, 3);
  expect(page).toMatchObject([1, 2, 3].map((page) => ({ page, pending: false })));
  await setSetting(ctx, 'converter.max_preview', '10');
  expect((await read(12, 3)).page).toEqual([]);
  await setSetting(ctx, 'converter.max_preview', '0');
  expect([await requestedPages(), await urgentCount()]).toEqual([[], 0]);
});
