import { describe, expect, test } from 'vitest';
import { changeDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { replaceCategories } from '#modules/document/document-categories.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { inTransaction } from '#platform/server/context.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { indexQueuedDocuments, queueAllDocuments } from './index/index-documents.ts';
import type { SearchFacet, SearchHit } from './search.contract.ts';
import { publishText } from './search.fixture.ts';
import { engineName, searchEnv, syncSearchEngine } from './search-engine.fixture.ts';

const { app, as, ctx, pool, clock } = await testApp({ env: searchEnv() });
type Headers = { authorization?: string };
const search = async (
  query: Record<string, string | string[]>,
  headers: Headers = as.visitor,
): Promise<{ [key: string]: unknown; total: number; document: SearchHit[] }> => {
  const answer = await app.inject({ url: '/api/v1/document/search', query, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const titlesOf = async (wd: string, headers?: Headers) =>
  (await search({ wd }, headers)).document.map(({ title }) => title);
const counts = (facet: unknown) => Object.fromEntries((facet as SearchFacet).map(({ value, count }) => [value, count]));

const owner = await newUploader(ctx);
const [parent = 0, child = 0] = await createCategoryChain(ctx);
const bridge = await publishText(ctx, {
  title: '南京市长江大桥',
  user_id: owner.id,
  category_id: [parent, child],
  keywords: '桥梁,南京',
  pages: ['前言', '第二页讲桥墩：浮运沉井的办法克服了急流。', '通车之后，过江只要两分钟。'],
});
const mayor = await publishText(ctx, {
  title: '市长热线通报',
  price: 5,
  ext: '.pdf',
  preview: 1,
  created_at: '2025-01-01T00:00:00.000Z',
  pages: ['本季度市长热线受理来电两万件。', '后面的秘密：水母在第二页。', '水母也在第三页。'],
});
await publishText(ctx, {
  title: '海洋动物',
  pages: Array.from({ length: 12 }, (_, at) => `第${at + 1}种动物：${at === 7 ? '水母没有骨头' : '鱼'}。`),
});
await indexQueuedDocuments(ctx);

describe('document search', () => {
  test('finds 南京市长江大桥 by its words 长江大桥, 南京 and 大桥, and ranks it below the real match for 市长', async () => {
    for (const wd of ['长江大桥', '南京', '大桥', '南京大桥', '長江大橋'])
      expect(await titlesOf(wd), wd).toContain('南京市长江大桥');
    expect((await titlesOf('市长'))[0]).toBe('市长热线通报');
  });

  test('returns the matching page, a snippet with highlights, and the text that the reader highlights', async () => {
    const { document, spend, total } = await search({ wd: '沉井 急流' });
    expect([total, document[0]?.id, spend]).toEqual([1, bridge, expect.stringMatching(/^\d\.\d{3}$/)]);
    const [snippet] = document[0]?.snippet ?? [];
    expect(snippet).toMatchObject({ page: 2, count: 2, wd: '沉井' });
    const markedWords = snippet?.marks.map(([start, end]) => snippet.text.slice(start, end));
    expect(markedWords).toEqual(['沉井', '急流']);
    expect(document[0]).toMatchObject({ hit_page: [2], hit_pages: 1, locked_pages: 0 });
    const [hit] = (await search({ wd: '长江' })).document;
    expect(hit?.title_marks).toEqual([[3, 5]]);
  });

  test('counts pages beyond the preview as locked and never quotes them', async () => {
    const { document } = await search({ wd: '水母' });
    const lockedDocument = document.find(({ id }) => id === mayor);
    expect(lockedDocument).toMatchObject({ snippet: [], hit_page: [], hit_pages: 0, locked_pages: 2 });
    expect(document.find(({ id }) => id !== mayor)).toMatchObject({
      title: '海洋动物',
      snippet: [{ page: 8 }],
    });
    const result = await search({ wd: '水母' }, await as.root());
    expect(result.document.find(({ id }) => id === mayor)).toMatchObject({
      hit_page: [2, 3],
      locked_pages: 0,
    });
  });

  test('matches phrases literally and leaves out documents with an excluded word', async () => {
    expect(await titlesOf('"水母没有骨头"')).toEqual(['海洋动物']);
    expect(await titlesOf('"骨头水母"')).toEqual([]);
    expect((await titlesOf('水母')).toSorted()).toEqual(['市长热线通报', '海洋动物'].toSorted());
    expect(await titlesOf('水母 -骨头')).toEqual(['市长热线通报']);
  });

  test('counts results by type, category, time, pages and fee, each without its own filter', async () => {
    const result = await search({ wd: '水母' });
    expect(counts(result.agg_ext)).toEqual({ pdf: 1, txt: 1 });
    expect(counts(result.agg_fee_type)).toEqual({ free: 1, charge: 1 });
    expect(counts(result.agg_pages)).toEqual({ '1-10': 1, '11-50': 1 });
    expect(counts(result.agg_duration)).toMatchObject({ day: 1, year: 1 });
    expect(counts((await search({ wd: '大桥' })).agg_category)).toEqual({
      [parent]: 1,
      [child]: 1,
    });
    const paidResult = await search({ wd: '水母', fee_type: 'charge' });
    expect([paidResult.total, counts(paidResult.agg_fee_type), counts(paidResult.agg_ext)]).toEqual([
      1,
      { free: 1, charge: 1 },
      { pdf: 1 },
    ]);
    for (const [filter, total] of [
      [{ ext: 'pdf' }, 1],
      [{ ext: 'whatever' }, 2],
      [{ pages: '11-50' }, 1],
      [{ duration: 'week' }, 1],
      [{ user_id: [String(owner.id)] }, 0],
      [{ category_id: [String(child)] }, 0],
      [{ created_at: ['2024-12-31', '2025-02-01'] }, 1],
      [{ language: ['zh'] }, 2],
    ] as [Record<string, string | string[]>, number][])
      expect((await search({ wd: '水母', ...filter })).total, JSON.stringify(filter)).toBe(total);
  });

  test('sorts by time, page count and views', async () => {
    const first = async (sort: string) => (await search({ wd: '水母', sort })).document[0]?.title;
    await pool.query('update documents set view_count = 9 where id = $1', [mayor]);
    // OpenSearch gets the view count only with the next indexing.
    await queueAllDocuments(ctx);
    await indexQueuedDocuments(ctx);
    expect([await first('latest'), await first('pages'), await first('view_count')]).toEqual([
      '海洋动物',
      '海洋动物',
      '市长热线通报',
    ]);
  });

  test('returns documents with some of the words and sets is_relaxed when no document has all', async () => {
    const { document, is_relaxed } = await search({ wd: '沉井 火山口' });
    expect([is_relaxed, document.map(({ id }) => id)]).toEqual([true, [bridge]]);
  });

  test('offers a spelling correction and related words, and accepts pinyin', async () => {
    expect((await search({ wd: '桥粱' })).did_you_mean).toBe('桥梁');
    expect((await search({ wd: '大桥' })).related_words).toContain('桥梁');
    expect((await search({ wd: 'qiaoliang' })).document[0]?.id).toBe(bridge);
  });

  test('returns nothing without words and nothing beyond the configured number of result pages', async () => {
    expect(await search({})).toMatchObject({ total: 0, document: [], agg_ext: [] });
    await setSetting(ctx, 'display.max_search_pages', '1');
    expect((await search({ wd: '水母', page: '11' })).document).toEqual([]);
    await setSetting(ctx, 'display.max_search_pages', '100');
  });

  test('shows members-only documents to members and private documents to their owner', async () => {
    const member = await as.user();
    await publishText(ctx, { title: '会员水仙', visibility: 1, pages: ['水仙'] });
    await publishText(ctx, {
      title: '私人水仙',
      visibility: 2,
      user_id: owner.id,
      pages: ['水仙'],
    });
    await indexQueuedDocuments(ctx);
    expect(await titlesOf('水仙')).toEqual([]);
    expect(await titlesOf('水仙', member)).toEqual(['会员水仙']);
    expect((await titlesOf('水仙', owner.headers)).toSorted()).toEqual(['会员水仙', '私人水仙']);
  });
});

describe('an indexed document', () => {
  const expectTitles = (wd: string, titles: string[]) =>
    expect
      .poll(async () => {
        await syncSearchEngine(ctx);
        return titlesOf(wd);
      })
      .toEqual(titles);

  test('is found by its new title after an edit and no longer by the old one', async () => {
    const id = await publishText(ctx, { title: '旧的名称', pages: ['关于蒲公英'] });
    await indexQueuedDocuments(ctx);
    expect(await titlesOf('蒲公英')).toEqual(['旧的名称']);
    await changeDocument(ctx, id, { title: '风信子手册' });
    await indexQueuedDocuments(ctx);
    expect(await titlesOf('风信子')).toEqual(['风信子手册']);
    expect(await titlesOf('旧的名称')).toEqual([]);
  });

  test('disappears from results when disabled, deleted or made private, and returns when restored', async () => {
    const id = await publishText(ctx, { title: '紫罗兰栽培', pages: ['紫罗兰'] });
    await indexQueuedDocuments(ctx);
    await expectTitles('紫罗兰', ['紫罗兰栽培']);
    const total = async () => {
      await syncSearchEngine(ctx);
      return (await search({ wd: '紫罗兰' })).total;
    };
    for (const [hide, restore] of [
      [{ status: 4 }, { status: 2 }],
      [{ deleted_at: '2026-02-01T00:00:00Z' }, { deleted_at: null }],
      [{ visibility: 2 }, { visibility: 0 }],
    ] as const) {
      await changeDocument(ctx, id, hide);
      // Even before the indexing job has run.
      expect(await titlesOf('紫罗兰'), JSON.stringify(hide)).toEqual([]);
      await expect.poll(total).toBe(0);
      await changeDocument(ctx, id, restore);
      await expectTitles('紫罗兰', ['紫罗兰栽培']);
    }
  });

  test('is filtered by its current price and category', async () => {
    const id = await publishText(ctx, { title: '郁金香价格', pages: ['郁金香'] });
    await indexQueuedDocuments(ctx);
    const free = async () => {
      await syncSearchEngine(ctx);
      return (await search({ wd: '郁金香', fee_type: 'free' })).total;
    };
    await expect.poll(free).toBe(1);
    await changeDocument(ctx, id, { price: 8 });
    await expect.poll(free).toBe(0);
    await inTransaction(ctx, (ctx) => replaceCategories(ctx, [id], [child]));
    await waitForEventDelivery(ctx);
    const inChild = async () => {
      await syncSearchEngine(ctx);
      return (await search({ wd: '郁金香', category_id: [String(child)] })).total;
    };
    await expect.poll(inChild).toBe(1);
  });

  test('leaves the index when the document is erased', async () => {
    const id = await publishText(ctx, { title: '曼陀罗', pages: ['曼陀罗'] });
    await indexQueuedDocuments(ctx);
    const headers = await as.root();
    for (const path of ['/document', '/document/recycle'])
      expect((await app.inject({ method: 'DELETE', url: `/api/v1${path}?id=${id}`, headers })).statusCode).toBe(200);
    await waitForEventDelivery(ctx);
    await indexQueuedDocuments(ctx);
    const { rows } = await pool.query('select 1 from search_documents where document_id = $1', [id]);
    expect([rows, await titlesOf('曼陀罗')]).toEqual([[], []]);
  });

  test('is still found after many small index segments are merged', async () => {
    for (let at = 0; at < 24; at += 1) {
      await publishText(ctx, { title: `合并测试${at}`, pages: [`鸢尾花第${at}朵`, '鸢尾花'] });
      await indexQueuedDocuments(ctx);
    }
    const { rows } = await pool.query('select count(*)::int as total from search_segments where retired_at is null');
    if (engineName === 'postgres') expect(rows[0].total).toBeLessThan(20);
    expect((await search({ wd: '鸢尾花' })).total).toBe(24);
    expect((await search({ wd: '鸢尾花', size: '50' })).document).toHaveLength(24);
    clock.now = new Date(clock.now.getTime() + 1000);
  });
});
