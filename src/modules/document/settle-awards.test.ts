import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { balanceOf, testEvent } from '#modules/credit/credit.fixture.ts';
import { awardCredit } from '#modules/credit/credit.ts';
import { findLedgerViolations } from '#modules/credit/ledger.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { addDocument, convert, newBranch, newUploader } from './document.fixture.ts';
import { documents } from './document.table.ts';
import { settleUploadAwards } from './settle-awards.ts';

const { app, as, clock, ctx, pool } = await testApp();
const category_id = await newBranch(ctx);
const AWARD = 5;

const settle = () => settleUploadAwards.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
let owner: Awaited<ReturnType<typeof newUploader>>;
beforeEach(async () => {
  owner = await newUploader(ctx);
});
const balance = () => balanceOf(ctx, owner.id);

test('an upload whose conversion fails loses its award once, and gets it back once when it becomes readable', async () => {
  const { id } = await addDocument(ctx, owner, { category_id });
  expect(await balance()).toBe(AWARD);
  await convert(ctx, id, 'failed');
  await settle();
  await settle();
  expect(await balance()).toBe(0);
  await convert(ctx, id, 'ready');
  await settle();
  await settle();
  expect(await balance()).toBe(AWARD);
  expect(await findLedgerViolations(pool)).toEqual([]);
});

test('an upload that fails twice loses its award each time', async () => {
  const { id } = await addDocument(ctx, owner, { category_id });
  for (const state of ['failed', 'ready', 'failed'] as const) {
    const values = state === 'failed' ? { ready_at: null, ready_pages: 0 } : {};
    await convert(ctx, id, state, values);
    await settle();
  }
  expect(await balance()).toBe(0);
});

test('an award that was spent already is retracted as far as the balance allows, and only that amount is returned', async () => {
  const { id } = await addDocument(ctx, owner, { category_id });
  await awardCredit(ctx, owner.id, -3, testEvent());
  await convert(ctx, id, 'failed');
  await settle();
  expect(await balance()).toBe(0);
  await convert(ctx, id, 'ready');
  await settle();
  expect(await balance()).toBe(2);
});

test('a failed upload that its owner deleted earns nothing, also after it was restored', async () => {
  const { id } = await addDocument(ctx, owner, { category_id });
  await convert(ctx, id, 'failed');
  const { headers } = owner;
  await app.inject({ method: 'DELETE', url: `/api/v1/document?id=${id}`, headers });
  expect(await balance()).toBe(AWARD - 1);
  await settle();
  expect(await balance()).toBe(0);
  await app.inject({
    method: 'PUT',
    url: '/api/v1/document/recycle',
    headers,
    payload: { id: [id] },
  });
  await settle();
  expect(await balance()).toBe(0);
  const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  expect([row?.award, row?.retracted_award]).toEqual([0, AWARD]);
});

test('a readable upload keeps its award', async () => {
  const { id } = await addDocument(ctx, owner, { category_id });
  await convert(ctx, id, 'ready');
  await settle();
  expect(await balance()).toBe(AWARD);
});

const lastActivity = async () => {
  const answer = await app.inject({ url: '/api/v1/user/dynamic', headers: owner.headers });
  return answer.json().dynamic.find(({ content }: { content: string }) => content.startsWith('上传')).content;
};

test('a failed upload uses no award of the day: the next upload of the same day earns, also before the job ran', async () => {
  const failedDocument = await addDocument(ctx, owner, { category_id });
  await convert(ctx, failedDocument.id, 'failed');
  await addDocument(ctx, owner, { category_id });
  await addDocument(ctx, owner, { category_id });
  await settle();
  expect(await balance()).toBe(AWARD);
  expect(await findLedgerViolations(pool)).toEqual([]);
});

test('a failed upload that becomes readable earns nothing when other uploads took the awards of the day', async () => {
  const { id } = await addDocument(ctx, owner, { category_id });
  await convert(ctx, id, 'failed');
  await addDocument(ctx, owner, { category_id });
  await convert(ctx, id, 'ready');
  await settle();
  expect(await balance()).toBe(AWARD);
  const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  expect([row?.award, row?.retracted_award]).toEqual([0, 0]);
});

test('a failed upload whose award was spent keeps its place among the awards of the day', async () => {
  const { id } = await addDocument(ctx, owner, { category_id });
  await awardCredit(ctx, owner.id, -3, testEvent());
  await convert(ctx, id, 'failed');
  await addDocument(ctx, owner, { category_id });
  expect(await balance()).toBe(0);
});

test('a partly spent award keeps its slot when the upload becomes readable and fails again', async () => {
  const { id } = await addDocument(ctx, owner, { category_id });
  await awardCredit(ctx, owner.id, -3, testEvent());
  for (const state of ['failed', 'readable', 'failed'] as const) {
    const values = state === 'failed' ? { ready_at: null, ready_pages: 0 } : {};
    await convert(ctx, id, state, values);
    await settle();
  }
  await addDocument(ctx, owner, { category_id });
  expect(await balance()).toBe(0);
});

test('an upload that fails on a later day gets its award back without using an award of that day', async () => {
  const { id } = await addDocument(ctx, owner, { category_id });
  clock.now = new Date(clock.now.getTime() + 2 * 86_400_000);
  await convert(ctx, id, 'failed');
  await addDocument(ctx, owner, { category_id });
  await convert(ctx, id, 'ready');
  await settle();
  expect(await balance()).toBe(2 * AWARD);
});

test('the activity of an upload states its award only while it is not retracted', async () => {
  const { id } = await addDocument(ctx, owner, { category_id });
  expect(await lastActivity()).toBe(`上传了文档《一篇文档》，获得 ${AWARD} 个豆奖励`);
  await convert(ctx, id, 'failed');
  await settle();
  expect(await lastActivity()).toBe('上传了文档《一篇文档》');
  await convert(ctx, id, 'ready');
  await settle();
  expect(await lastActivity()).toBe(`上传了文档《一篇文档》，获得 ${AWARD} 个豆奖励`);
});

test.each([
  ['the review list', '/api/v1/document/check', (id: number) => ({ id: [id], status: 0 })],
  ['the edit form', '/api/v1/document', (id: number) => ({ id, status: 0 })],
])('an upload approved in %s earns when the upload before it failed on the same day', async (_, url, payloadFor) => {
  owner = await newUploader(ctx, { enable_document_review: true });
  const failedDocument = await addDocument(ctx, owner, { category_id });
  const readableDocument = await addDocument(ctx, owner, { category_id });
  const headers = await as.root();
  const approve = (id: number) => app.inject({ method: 'PUT', url, headers, payload: payloadFor(id) });
  expect((await approve(failedDocument.id)).statusCode).toBe(200);
  await convert(ctx, failedDocument.id, 'failed');
  expect((await approve(readableDocument.id)).statusCode).toBe(200);
  await settle();
  expect(await balance()).toBe(AWARD);
});
