import { text } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { changeRenditions } from '#modules/conversion/change-renditions.ts';
import { renditions, replacedRenditions } from '#modules/conversion/rendition.table.ts';
import { findRendition, pipelineVersion } from '#modules/conversion/rendition.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { requeueOutdated } from '#modules/conversion/requeue-outdated.ts';
import { makeWorkbook } from '#modules/conversion/workbook.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { indexQueuedDocuments } from './index-documents.ts';

const { app, as, ctx } = await testApp({ runJobs: true, conversions: 'real' });
const jobRun = { signal: new AbortController().signal, attempt: 1 };
const publisher = await newPublisher(ctx);

const get = async (url: string, query: Record<string, string>, headers = as.visitor) =>
  (await app.inject({ url: `/api/v1${url}`, query, headers })).json();
const countHits = async (wd: string, headers = as.visitor): Promise<number> => {
  await indexQueuedDocuments(ctx);
  return (await get('/document/search', { wd }, headers)).total;
};

/** Turns a document's rendition into one that pipeline version 1 produced, with hidden text. */
async function downgradeToVersion1(id: number, hiddenText: string) {
  const [document] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  const rendition = await findRendition(ctx, document?.rendition_id ?? 0);
  if (!rendition) throw new Error('the document has no rendition');
  const oldKeys = renditionStorageKeys({ ...rendition, version: 1 });
  const rows = [[hiddenText]];
  await ctx.storage.put(oldKeys.text, Buffer.from(hiddenText));
  await ctx.storage.put(oldKeys.section(1), Buffer.from(JSON.stringify({ rows })));
  const ofRendition = eq(renditions.id, rendition.id);
  await changeRenditions(ctx, ofRendition, { version: 1, summary: hiddenText, state: 'converting' });
  await changeRenditions(ctx, ofRendition, { state: 'ready' });
  await waitForEventDelivery(ctx);
  await ctx.db.delete(replacedRenditions);
  return { rendition, oldKeys };
}

test('re-conversion removes hidden text that pipeline version 1 extracted from pages, description, search index and storage', async () => {
  const book = makeWorkbook('xlsx', [
    { name: '报价', rows: [['公开报价', '一百']] },
    { name: '成本', rows: [['机密成本', '五十']], hidden: 1 },
  ]);
  const id = await publisher.publish(book, '.xlsx');
  const { rendition, oldKeys } = await downgradeToVersion1(id, '机密成本');
  expect(await countHits('机密成本')).toBe(1);
  expect((await get('/document', { id: String(id) })).description).toBe('机密成本');

  await requeueOutdated.run(ctx, {}, jobRun);
  await expect
    .poll(() => findRendition(ctx, rendition.id))
    .toMatchObject({ state: 'ready', version: pipelineVersion('xlsx'), is_outdated: false });
  await waitForEventDelivery(ctx);
  const current = renditionStorageKeys({ ...rendition, version: pipelineVersion('xlsx') });
  expect(await text((await ctx.storage.get(current.text)).stream)).toBe('公开报价\t一百');
  expect(await countHits('机密成本')).toBe(0);
  expect(await countHits('公开报价')).toBe(1);
  const { description } = await get('/document', { id: String(id) });
  expect(description).not.toContain('机密');
  expect(JSON.stringify(await get('/document/pages', { id: String(id) }))).not.toContain('机密');

  await requeueOutdated.run(ctx, {}, jobRun);
  expect(await ctx.storage.stat(oldKeys.text)).toBeNull();
  expect(await ctx.db.select().from(replacedRenditions)).toEqual([]);
});

test('re-conversion of a workbook with only hidden sheets removes its version 1 pages and fails', async () => {
  const visibleWorkbook = makeWorkbook('xlsx', [{ name: '甲', rows: [['公开']] }]);
  const id = await publisher.publish(visibleWorkbook, '.xlsx');
  const { rendition } = await downgradeToVersion1(id, '绝密名单');
  expect(await countHits('绝密名单')).toBe(1);
  const hiddenWorkbook = makeWorkbook('xlsx', [{ name: '甲', rows: [['绝密名单']], hidden: 2 }]);
  await ctx.storage.put(
    `${renditionStorageKeys(rendition).prefix.split(`/${rendition.format}/`)[0]}/original`,
    hiddenWorkbook,
  );

  await requeueOutdated.run(ctx, {}, jobRun);
  await expect
    .poll(() => findRendition(ctx, rendition.id))
    .toMatchObject({ state: 'failed', pages: 0, summary: '', version: 0 });
  await waitForEventDelivery(ctx);
  const owner = publisher.headers;
  const document = await get('/document', { id: String(id) }, owner);
  expect(document).toMatchObject({ status: 3, description: '' });
  expect(document.convert_error).toMatch(/工作表都被隐藏/);
  expect((await get('/document/pages', { id: String(id) }, owner)).page).toEqual([]);
  await expect.poll(() => countHits('绝密名单')).toBe(0);
  expect(await countHits('绝密名单', owner)).toBe(0);
});

test('requeueOutdated does not convert a text again that the current pipeline version converted', async () => {
  const id = await publisher.publish(Buffer.from('只有文字'), '.txt');
  const [document] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  await requeueOutdated.run(ctx, {}, jobRun);
  expect(await findRendition(ctx, document?.rendition_id ?? 0)).toMatchObject({
    state: 'ready',
    is_outdated: false,
  });
});
