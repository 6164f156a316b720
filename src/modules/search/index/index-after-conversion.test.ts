import { expect, test } from 'vitest';
import { convertOnce } from '#modules/conversion/conversion.fixture.ts';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { addDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { addRecognizedPage } from '#modules/recognition/recognition.fixture.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { indexQueuedDocuments } from './index-documents.ts';

// No worker runs: each step of the test is the next step of the site.
const { app, ctx, pool } = await testApp();

test('a converted document is queued for the index by an event, and the next indexing run makes it findable', async () => {
  const owner = await newUploader(ctx);
  const bytes = Buffer.from('湿地里的白鹭');
  const title = '鸟类观察';
  const category_id = await createCategoryChain(ctx);
  const { id, rendition_id } = await addDocument(ctx, owner, { category_id, bytes, ext: '.txt', title });
  const readState = async () => {
    const { rows } = await pool.query<{ status: number; is_queued: boolean }>(
      `select status, exists (select 1 from search_index_queue where document_id = documents.id and is_full)
         or exists (select 1 from events where subject = 'document' and subject_id = documents.id) as is_queued
       from documents where id = $1`,
      [id],
    );
    return rows[0];
  };
  const search = async () =>
    (await app.inject({ url: '/api/v1/document/search', query: { wd: '白鹭' } })).json().document.length;
  await waitForEventDelivery(ctx);
  expect([await readState(), await search()]).toEqual([{ status: 0, is_queued: false }, 0]);

  const states = [];
  let isConverting = true;
  const conversion = convertOnce(ctx, rendition_id ?? 0).finally(() => {
    isConverting = false;
  });
  while (isConverting) states.push(await readState());
  await conversion;
  await waitForEventDelivery(ctx);
  expect(states.filter((state) => state?.status === 2 && !state.is_queued)).toEqual([]);
  expect(await readState()).toEqual({ status: 2, is_queued: true });
  expect((await app.inject({ url: '/api/v1/document', query: { id: String(id) } })).json().status).toBe(2);

  await indexQueuedDocuments(ctx);
  expect(await search()).toBe(1);
});

test('recognized text of a scanned page is findable on its page after the next indexing run', async () => {
  const owner = await newUploader(ctx);
  const category_id = await createCategoryChain(ctx);
  const bytes = makePdf({ pages: 2, text: (page) => (page === 1 ? 'Cover' : '') });
  const { id, rendition_id } = await addDocument(ctx, owner, { category_id, bytes, ext: '.pdf', title: '扫描件' });
  await convertOnce(ctx, rendition_id ?? 0);
  await waitForEventDelivery(ctx);
  await indexQueuedDocuments(ctx);
  const search = async () =>
    (await app.inject({ url: '/api/v1/document/search', query: { wd: '石渠阁' } })).json().document;
  expect(await search()).toEqual([]);
  await addRecognizedPage(ctx, id, 2, ['石渠阁旧藏']);
  await indexQueuedDocuments(ctx);
  expect(await search()).toMatchObject([{ id, hit_page: [2] }]);
});
