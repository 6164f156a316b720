import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { documents } from '#modules/document/document.table.ts';
import type { Context } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { amountForTier } from '#testing/test-tier.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';
import type { SearchHit } from './search.contract.ts';
import { publishText } from './search.fixture.ts';
import { searchEnv, syncSearchEngine } from './search-engine.fixture.ts';

const { app, as, ctx, pool } = await testApp({ env: searchEnv() });
const ask = (query: Record<string, string>) =>
  app.inject({ url: '/api/v1/document/search', query, headers: as.visitor });
const search = async (
  query: Record<string, string>,
): Promise<{ total: number; is_exact: boolean; max_page: number; document: SearchHit[] }> => (await ask(query)).json();

test('a phrase search fills each result page although most candidates do not contain the phrase', async () => {
  // Three of ten documents have the two words side by side.
  for (let at = 0; at < 100; at += 1)
    await publishText(ctx, {
      title: `第 ${at} 份`,
      pages: [at % 10 < 3 ? 'ocean science' : 'ocean of letters\nand much science'],
    });
  await indexQueuedDocuments(ctx);
  await syncSearchEngine(ctx);
  const pages = [];
  for (const page of ['1', '2', '3']) pages.push(await search({ wd: '"ocean science"', page }));
  expect(pages.map(({ document }) => document.length)).toEqual([10, 10, 10]);
  const ids = pages.flatMap(({ document }) => document.map(({ id }) => id));
  expect(new Set(ids).size).toBe(30);
  expect(pages[0]?.total).toBeGreaterThanOrEqual(20);
  expect(await search({ wd: '"ocean science"', page: '4' })).toMatchObject({
    total: 30,
    is_exact: true,
    max_page: 3,
    document: [],
  });
});

test('a phrase search finds the only match among many documents that have its words apart', async () => {
  const phrases = {
    '"应当具有工作"': '大家应当具有工作的热情',
    '"quiet harbour"': 'a quiet harbour',
    '"X光"': '请看这张X光片',
    '"学C语言"': '大家都来学C语言吧',
  };
  for (const pages of Object.values(phrases))
    await publishText(ctx, {
      title: '相连',
      created_at: '2020-01-01T00:00:00.000Z',
      pages: [pages],
    });
  // In the full tier more documents than a phrase search checks; all of them are newer.
  const otherCount = amountForTier({ quick: 12, full: 180 });
  for (let at = 0; at < otherCount; at += 1)
    await publishText(ctx, {
      title: `分开 ${at}`,
      pages: ['应当休息，具有经验，工作顺利，a harbour that is quiet，X 与 C 都是字母，学语言要有光'],
    });
  await indexQueuedDocuments(ctx);
  await syncSearchEngine(ctx);
  for (const [wd, text] of Object.entries(phrases)) {
    const { total, document } = await search({ wd });
    expect(total).toBe(1);
    expect(document[0]?.snippet[0]?.text).toContain(text);
  }
});

test('an excluded phrase hides documents that contain it, not documents that have its words apart', async () => {
  await publishText(ctx, { title: '分开的', pages: ['zebra', 'deep water', 'blue sea'] });
  await publishText(ctx, { title: '相连的', pages: ['zebra', 'deep sea'] });
  await indexQueuedDocuments(ctx);
  await syncSearchEngine(ctx);
  const { document } = await search({ wd: 'zebra -"deep sea"' });
  expect(document.map(({ title }) => title)).toEqual(['分开的']);
});

test('a search rejects an invalid time with 400 and returns the correct total beyond the last page', async () => {
  const infinite = await ask({ wd: 'zebra', created_at: 'infinity' });
  expect([infinite.statusCode, infinite.json().message]).toEqual([400, '时间不正确']);
  expect(await search({ wd: 'zebra', page: '900' })).toMatchObject({ total: 2, document: [] });
});

test('indexing postpones a document whose text cannot be read and indexes the others', async () => {
  const unreadableId = await publishText(ctx, { title: '读不到的', pages: ['quagga'] });
  const readableId = await publishText(ctx, { title: '读得到的', pages: ['quagga'] });
  const [row] = await ctx.db
    .select({ rendition: renditions })
    .from(documents)
    .innerJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(eq(documents.id, unreadableId));
  if (!row) throw new Error('the document has no rendition');
  const { text } = renditionStorageKeys(row.rendition);
  // The storage fails, because file permissions do not apply to tests that run as root.
  const storage: Context['storage'] = {
    ...ctx.storage,
    read: (key, maxBytes) => (key === text ? Promise.reject(new Error('EIO')) : ctx.storage.read(key, maxBytes)),
  };
  await indexQueuedDocuments({ ...ctx, storage });
  await syncSearchEngine(ctx);
  const foundIds = async () => (await search({ wd: 'quagga' })).document.map(({ id }) => id);
  expect(await foundIds()).toEqual([readableId]);
  await pool.query('update search_index_queue set retry_at = now()');
  await indexQueuedDocuments(ctx);
  await syncSearchEngine(ctx);
  expect((await foundIds()).toSorted()).toEqual([unreadableId, readableId].toSorted());
});
