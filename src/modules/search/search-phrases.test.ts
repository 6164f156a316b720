import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import { documents } from '#modules/document/document.table.ts';
import type { Context } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';
import type { SearchHit } from './search.contract.ts';
import { publishText } from './search.fixture.ts';
import { searchEnv, settle } from './search-engine.fixture.ts';

const { app, as, ctx, pool } = await testApp({ env: searchEnv() });
const ask = (query: Record<string, string>) =>
  app.inject({ url: '/api/v1/document/search', query, headers: as.visitor });
const search = async (
  query: Record<string, string>,
): Promise<{ total: number; is_exact: boolean; max_page: number; document: SearchHit[] }> => (await ask(query)).json();

test('a phrase fills its pages one after the other, whatever lies between', async () => {
  // Of each ten that have both words three have them side by side.
  for (let at = 0; at < 100; at += 1)
    await publishText(ctx, {
      title: `第 ${at} 份`,
      pages: [at % 10 < 3 ? 'ocean science' : 'ocean of letters\nand much science'],
    });
  await indexQueuedDocuments(ctx);
  await settle(ctx);
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

test('a phrase is found among many documents that have its words apart', async () => {
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
  // More than are ever looked at, and all of them newer.
  for (let at = 0; at < 180; at += 1)
    await publishText(ctx, {
      title: `分开 ${at}`,
      pages: ['应当休息，具有经验，工作顺利，a harbour that is quiet，X 与 C 都是字母，学语言要有光'],
    });
  await indexQueuedDocuments(ctx);
  await settle(ctx);
  for (const [wd, text] of Object.entries(phrases)) {
    const { total, document } = await search({ wd });
    expect(total).toBe(1);
    expect(document[0]?.snippet[0]?.text).toContain(text);
  }
});

test('an unwanted phrase hides those that have it, not those that have its words apart', async () => {
  await publishText(ctx, { title: '分开的', pages: ['zebra', 'deep water', 'blue sea'] });
  await publishText(ctx, { title: '相连的', pages: ['zebra', 'deep sea'] });
  await indexQueuedDocuments(ctx);
  await settle(ctx);
  const { document } = await search({ wd: 'zebra -"deep sea"' });
  expect(document.map(({ title }) => title)).toEqual(['分开的']);
});

test('a time that is none is refused, and beyond the last page the count is still true', async () => {
  const infinite = await ask({ wd: 'zebra', created_at: 'infinity' });
  expect([infinite.statusCode, infinite.json().message]).toEqual([400, '时间不正确']);
  expect(await search({ wd: 'zebra', page: '900' })).toMatchObject({ total: 2, document: [] });
});

test('a document whose text cannot be read is tried later and holds up no other', async () => {
  const broken = await publishText(ctx, { title: '读不到的', pages: ['quagga'] });
  const good = await publishText(ctx, { title: '读得到的', pages: ['quagga'] });
  const [row] = await ctx.db
    .select({ content: renditions })
    .from(documents)
    .innerJoin(renditions, eq(renditions.id, documents.content_id))
    .where(eq(documents.id, broken));
  if (!row) throw new Error('no content');
  const { text } = derivedKeys(row.content);
  // Even the administrator of the machine cannot read what the storage does not give.
  const storage: Context['storage'] = {
    ...ctx.storage,
    read: (key, most) => (key === text ? Promise.reject(new Error('EIO')) : ctx.storage.read(key, most)),
  };
  await indexQueuedDocuments({ ...ctx, storage });
  await settle(ctx);
  const found = async () => (await search({ wd: 'quagga' })).document.map(({ id }) => id);
  expect(await found()).toEqual([good]);
  await pool.query('update search_wishes set retry_at = now()');
  await indexQueuedDocuments(ctx);
  await settle(ctx);
  expect((await found()).toSorted()).toEqual([broken, good].toSorted());
});
