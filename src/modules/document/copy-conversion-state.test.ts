import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { addDocument, createCategoryChain, newUploader, setConversionState } from './document.fixture.ts';
import { documents } from './document.table.ts';

const { app, as, ctx } = await testApp();
const owner = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);
const add = async (fields: { description?: string } = {}) =>
  (await addDocument(ctx, owner, { category_id, ...fields })).id;
const rowOf = async (id: number) => (await ctx.db.select().from(documents).where(eq(documents.id, id)))[0];
const put = async (path: string, payload: object) => {
  const response = await app.inject({ method: 'PUT', url: `/api/v1${path}`, headers: await as.root(), payload });
  expect(response.statusCode, response.body).toBe(200);
  await waitForEventDelivery(ctx);
};

test('a description that was extracted follows the next conversion', async () => {
  const id = await add();
  await setConversionState(ctx, id, 'ready', { summary: '第一次的摘要', language: 'zh' });
  expect(await rowOf(id)).toMatchObject({ description: '第一次的摘要', language: 'zh', status: 2 });
  await setConversionState(ctx, id, 'ready', { summary: '第二次的摘要' });
  expect(await rowOf(id)).toMatchObject({ description: '第二次的摘要' });
});

test.each([
  ['wrote', '我写的'],
  ['deleted', ''],
])('a description that a user %s stays after the next conversion', async (_, description) => {
  const id = await add();
  await setConversionState(ctx, id, 'ready', { summary: '摘要' });
  await put('/document', { id, description });
  await setConversionState(ctx, id, 'ready', { summary: '新的摘要' });
  expect(await rowOf(id)).toMatchObject({ description });
});

test('a document that is disabled stays disabled when its conversion ends, and is converted when it is enabled', async () => {
  const id = await add();
  await put('/document/check', { id: [id], status: 4 });
  await setConversionState(ctx, id, 'ready');
  expect(await rowOf(id)).toMatchObject({ status: 4, conversion_state: 'converted' });
  await put('/document/check', { id: [id], status: 2 });
  expect(await rowOf(id)).toMatchObject({ status: 2 });
});

test('all documents of a file follow its conversion, also those of other users', async () => {
  const bytes = Buffer.from('%PDF-1.7\n% shared\n%%EOF\n');
  const other = await newUploader(ctx);
  const { id: firstId } = await addDocument(ctx, owner, { category_id, bytes });
  const { id: secondId } = await addDocument(ctx, other, { category_id, bytes, description: '自己的简介' });
  await setConversionState(ctx, firstId, 'converting');
  expect([(await rowOf(firstId))?.status, (await rowOf(secondId))?.status]).toEqual([1, 1]);
  await setConversionState(ctx, firstId, 'failed', { summary: '' });
  expect([(await rowOf(firstId))?.status, (await rowOf(secondId))?.status]).toEqual([3, 3]);
  expect(await rowOf(secondId)).toMatchObject({ description: '自己的简介' });
});
