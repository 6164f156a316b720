import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dequeuePageRenderRequests } from '#modules/conversion/page-render-requests.ts';
import { pageRenderRequests } from '#modules/conversion/rendition.table.ts';
import { addDocument, convert, newBranch, newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx, pool } = await testApp();
const owner = await newUploader(ctx);
const category_id = await newBranch(ctx);

/** A document of twenty pages of which the first three are drawn; the queue holds still. */
async function half() {
  const { id } = await addDocument(ctx, owner, { category_id });
  const drawn = { view: 'pages', pages: 20, ready_pages: 3, width: 800, height: 1_000 } as const;
  await convert(ctx, id, 'readable', drawn);
  const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  const contentId = row?.content_id ?? 0;
  return {
    read: async (page: number, size: number) =>
      (await app.inject(`/api/v1/document/pages?id=${id}&page=${page}&size=${size}`)).json(),
    take: () => dequeuePageRenderRequests(ctx, contentId),
    wishes: async () => {
      const rows = await ctx.db.select().from(pageRenderRequests).where(eq(pageRenderRequests.content_id, contentId));
      return rows.map(({ page }) => page).sort((one, other) => one - other);
    },
    /** Whether it is queued ahead of everything else. */
    urgent: async () => {
      const { rowCount } = await pool.query(
        'select 1 from contents where id = $1 and is_urgent and convert_after is not null',
        [contentId],
      );
      return rowCount;
    },
  };
}

test('whoever asks for a page that is not drawn yet has it drawn before the others', async () => {
  const { read, wishes, urgent } = await half();
  const { page } = await read(12, 3);
  expect(page).toMatchObject([12, 13, 14].map((page) => ({ page, pending: true, url: '' })));
  expect([await wishes(), await urgent()]).toEqual([[12], 1]);
  // Asked again and again while it waits, it is one wish and one job.
  await read(12, 3);
  await read(17, 1);
  expect([await wishes(), await urgent()]).toEqual([[12, 17], 1]);
});

test('a page whose request a renderer took without drawing it is requested again by the next poll of the reader', async () => {
  const { read, take, wishes } = await half();
  await read(12, 3);
  expect(await take()).toEqual([12]);
  expect(await wishes()).toEqual([]);
  const { page } = await read(12, 3);
  // The reader polls as long as a page of the answer is pending.
  expect(page).toMatchObject([12, 13, 14].map((page) => ({ page, pending: true })));
  expect(await wishes()).toEqual([12]);
});

test('pages that are drawn, and pages the reader may not see, are asked of nobody', async () => {
  const { read, wishes, urgent } = await half();
  const { page } = await read(1, 3);
  expect(page).toMatchObject([1, 2, 3].map((page) => ({ page, pending: false })));
  await setSetting(ctx, 'converter.max_preview', '10');
  expect((await read(12, 3)).page).toEqual([]);
  await setSetting(ctx, 'converter.max_preview', '0');
  expect([await wishes(), await urgent()]).toEqual([[], 0]);
});
