import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { balanceOf } from '#modules/credit/credit.fixture.ts';
import { findLedgerViolations } from '#modules/credit/ledger.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { addDocument, createCategoryChain, newUploader, payAwards, setConversionState } from './document.fixture.ts';
import { documents } from './document.table.ts';
import { createUploadAwardsJob } from './pay-upload-awards.ts';

const { app, as, clock, ctx, pool } = await testApp();
const category_id = await createCategoryChain(ctx);
const AWARD = 5;

let owner: Awaited<ReturnType<typeof newUploader>>;
beforeEach(async () => {
  owner = await newUploader(ctx);
});
const upload = async () => (await addDocument(ctx, owner, { category_id })).id;
const balance = () => balanceOf(ctx, owner.id);
const awardOf = async (id: number) =>
  (await ctx.db.select({ award: documents.award }).from(documents).where(eq(documents.id, id)))[0]?.award;

test('an upload earns once, when its conversion is complete', async () => {
  const id = await upload();
  await setConversionState(ctx, id, 'readable');
  await payAwards(ctx);
  expect(await balance()).toBe(0);
  await setConversionState(ctx, id, 'ready');
  await payAwards(ctx);
  await payAwards(ctx);
  expect(await balance()).toBe(AWARD);
  expect(await findLedgerViolations(pool)).toEqual([]);
});

test('an upload whose conversion fails earns nothing until a later conversion completes', async () => {
  const id = await upload();
  await setConversionState(ctx, id, 'failed');
  await payAwards(ctx);
  expect(await balance()).toBe(0);
  await setConversionState(ctx, id, 'ready');
  await payAwards(ctx);
  expect(await balance()).toBe(AWARD);
});

test('a rewarded upload keeps its award when a later conversion fails', async () => {
  const id = await upload();
  for (const state of ['ready', 'failed', 'ready'] as const) {
    await setConversionState(ctx, id, state);
    await payAwards(ctx);
    expect(await balance()).toBe(AWARD);
  }
});

test('a failed upload does not use up the limit of the day for other uploads', async () => {
  const [failedId, readableId] = [await upload(), await upload()];
  await setConversionState(ctx, failedId, 'failed');
  await setConversionState(ctx, readableId, 'ready');
  await payAwards(ctx);
  expect([await awardOf(failedId), await awardOf(readableId)]).toEqual([0, AWARD]);
});

test('the earlier of two uploads earns when the daily limit permits one award', async () => {
  const [earlierId, laterId] = [await upload(), await upload()];
  for (const id of [laterId, earlierId]) await setConversionState(ctx, id, 'ready');
  await payAwards(ctx);
  expect([await awardOf(earlierId), await awardOf(laterId)]).toEqual([AWARD, 0]);
  clock.now = new Date(clock.now.getTime() + 2 * 86_400_000);
  await payAwards(ctx);
  expect(await balance()).toBe(AWARD);
});

test('uploads of different days earn even if their conversions complete on the same day', async () => {
  const ids = [];
  for (let day = 0; day < 3; day++) {
    ids.push(await upload());
    clock.now = new Date(clock.now.getTime() + 86_400_000);
  }
  for (const id of ids) await setConversionState(ctx, id, 'ready');
  await payAwards(ctx);
  expect(await Promise.all(ids.map(awardOf))).toEqual([AWARD, AWARD, AWARD]);
});

test('an upload of a complete file earns while a later conversion of the file has failed', async () => {
  const id = await upload();
  await setConversionState(ctx, id, 'ready');
  await setConversionState(ctx, id, 'failed');
  await payAwards(ctx);
  expect(await balance()).toBe(AWARD);
});

test('a disabled upload earns nothing until it is enabled again', async () => {
  const id = await upload();
  await setConversionState(ctx, id, 'ready');
  const review = async (status: number) =>
    app.inject({
      method: 'PUT',
      url: '/api/v1/document/check',
      headers: await as.root(),
      payload: { id: [id], status },
    });
  await review(4);
  await payAwards(ctx);
  expect(await balance()).toBe(0);
  await review(2);
  await payAwards(ctx);
  expect(await balance()).toBe(AWARD);
});

test('a deleted upload earns only after it was restored', async () => {
  const id = await upload();
  const { headers } = owner;
  await app.inject({ method: 'DELETE', url: `/api/v1/document?id=${id}`, headers });
  await setConversionState(ctx, id, 'ready');
  await payAwards(ctx);
  expect(await balance()).toBe(0);
  await app.inject({ method: 'PUT', url: '/api/v1/document/recycle', headers, payload: { id: [id] } });
  await payAwards(ctx);
  expect(await balance()).toBe(AWARD);
});

test('the activity of an upload states the award after it was paid', async () => {
  const lastActivity = async () => {
    const response = await app.inject({ url: '/api/v1/user/dynamic', headers: owner.headers });
    return response.json().dynamic[0].content;
  };
  const id = await upload();
  expect(await lastActivity()).toBe('上传了文档《一篇文档》');
  await setConversionState(ctx, id, 'ready');
  await payAwards(ctx);
  expect(await lastActivity()).toBe(`上传了文档《一篇文档》，获得 ${AWARD} 个豆奖励`);
});

test('an upload under review earns after its approval and conversion', async () => {
  owner = await newUploader(ctx, { enable_document_review: true });
  const id = await upload();
  await payAwards(ctx);
  const payload = { id: [id], status: 0 };
  await app.inject({ method: 'PUT', url: '/api/v1/document/check', headers: await as.root(), payload });
  await setConversionState(ctx, id, 'ready');
  await payAwards(ctx);
  expect(await balance()).toBe(AWARD);
});

test('an upload is paid in the run in which the comparison of an older upload fails, and the older one later', async () => {
  const olderId = await upload();
  owner = await newUploader(ctx);
  const laterId = await upload();
  for (const id of [olderId, laterId]) await setConversionState(ctx, id, 'ready');
  const failingJob = createUploadAwardsJob(async (_ctx, { id }) => {
    if (id === olderId) throw new Error('damaged page image');
    return false;
  });
  await failingJob.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
  expect([await awardOf(olderId), await awardOf(laterId)]).toEqual([0, AWARD]);
  await payAwards(ctx);
  expect(await awardOf(olderId)).toBe(AWARD);
});
