import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { makePdf } from './document-files.fixture.ts';
import { enqueueReconversion } from './enqueue-reconversion.ts';
import { renditions } from './rendition.table.ts';
import { findRendition } from './rendition.ts';
import { renditionStorageKeys } from './rendition-keys.ts';
import { requestPageRender } from './request-page-render.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });

test('reconverting a PDF produces identical pages', async () => {
  const { id } = await addRendition(ctx, '再来.pdf', makePdf({ pages: 3, text: (page) => `again ${page}` }));
  const before = await waitForRendition(ctx, id);
  const keys = renditionStorageKeys(before);
  const read = () =>
    Promise.all([1, 2, 3].map(async (page) => buffer((await ctx.storage.get(keys.page(page))).stream)));
  const pages = await read();
  await enqueueReconversion(ctx, [id]);
  expect((await findRendition(ctx, id))?.state).not.toBe('ready');
  await waitForRendition(ctx, id);
  expect((await read()).map((page, index) => page.equals(pages[index] as Buffer))).toEqual([true, true, true]);
});

test('a page that a reader requested is converted before the other pages', async () => {
  const { id } = await addRendition(ctx, '很长.pdf', makePdf({ pages: 1_500, text: (page) => `long ${page}` }));
  const readRendition = () => findRendition(ctx, id);
  await expect.poll(async () => (await readRendition())?.state).toBe('readable');
  await requestPageRender(ctx, id, 1_490);
  const key = renditionStorageKeys({
    ...((await readRendition()) as NonNullable<Awaited<ReturnType<typeof readRendition>>>),
  }).page(1_490);
  await expect.poll(() => ctx.storage.stat(key)).not.toBeNull();
  expect((await readRendition())?.ready_pages).toBeLessThan(1_490);
  await ctx.db.delete(renditions).where(eq(renditions.id, id));
});
