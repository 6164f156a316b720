import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';
import type { SearchHit } from './search.contract.ts';
import { publishText } from './search.fixture.ts';
import { searchEnv, syncSearchEngine } from './search-engine.fixture.ts';

const { app, as, ctx } = await testApp({ env: searchEnv() });
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
  // More documents than a phrase search checks; all of them are newer.
  const otherCount = 180;
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
