import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { changeDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { documentTwins } from '#modules/document/document.table.ts';
import { recordDocumentEvents } from '#modules/document/document-events.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { fakeOpenSearch } from './fake-opensearch.fixture.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';
import type { SearchFacet, SearchHit } from './search.contract.ts';
import { publishText } from './search.fixture.ts';
import { searchEnv } from './search-engine.fixture.ts';

const engines = ['postgres', 'opensearch'] as const;
const cluster = fakeOpenSearch();
await new Promise<void>((resolve) => cluster.listen(0, '127.0.0.1', resolve));
afterAll(() => void cluster.close());
const fakeUrl = `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`;
/** The real cluster if one was started for the tests. */
const environmentOf = (engine: (typeof engines)[number]) =>
  engine === 'postgres' ? {} : inject('searchUrl') ? searchEnv() : { SEARCH_URL: fakeUrl };

const counts = (facet: unknown) => Object.fromEntries((facet as SearchFacet).map(({ value, count }) => [value, count]));

describe.each(engines)('a search that collapses twins, in %s,', async (engine) => {
  const { app, as, ctx } = await testApp({ env: environmentOf(engine) });
  const owner = await newUploader(ctx);
  const [category = 0, otherCategory = 0] = await createCategoryChain(ctx);
  const publish = (title: string, fields: object = {}) =>
    publishText(ctx, { user_id: owner.id, category_id: [category], pages: ['水母没有骨头'], title, ...fields });
  const ids: Record<string, number> = {};
  const idsOf = (...names: string[]) => names.map((name) => ids[name]);

  async function search(query: Record<string, string>, headers: { authorization?: string } = as.visitor) {
    const url = '/api/v1/document/search';
    const answer = await app.inject({
      url,
      query: { wd: '水母', sort: 'latest', collapse_twins: 'true', ...query },
      headers,
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const result = answer.json() as { [facet: string]: unknown; total: number; document: SearchHit[] };
    return {
      result,
      total: result.total,
      document: result.document,
      ids: result.document.map(({ id }) => id).toSorted((a, b) => a - b),
    };
  }
  async function change(id: number | undefined, values: Parameters<typeof changeDocument>[2]) {
    await changeDocument(ctx, id ?? 0, values);
    await indexQueuedDocuments(ctx);
  }

  beforeAll(async () => {
    ids.first = await publish('水母一', { ext: '.pdf' });
    ids.second = await publish('水母二', { ext: '.docx', category_id: [category, otherCategory] });
    // Of the same type as the second.
    ids.third = await publish('珊瑚与水母', { ext: '.doc', price: 3 });
    ids.single = await publish('海里的水母', { ext: '.pdf' });
    ids.otherFirst = await publish('蓝鲸和水母', { ext: '.txt' });
    ids.otherSecond = await publish('蓝鲸', { ext: '.txt' });
    const twins = [
      ...['first', 'second', 'third'].map((name) => ({ document_id: ids[name] ?? 0, twin_group: 1 })),
      ...['otherFirst', 'otherSecond'].map((name) => ({ document_id: ids[name] ?? 0, twin_group: 2 })),
    ];
    await ctx.db.insert(documentTwins).values(twins);
    await recordDocumentEvents(ctx, 'twins-changed', Object.values(ids));
    await waitForEventDelivery(ctx);
    await indexQueuedDocuments(ctx);
  });

  test('returns the oldest of each group and counts results', async () => {
    const result = await search({});
    expect(result.ids).toEqual(idsOf('first', 'single', 'otherFirst'));
    expect(result.total).toBe(3);
    const [hit] = result.document.filter(({ id }) => id === ids.first);
    expect(hit?.twins).toMatchObject({ total: 2, document: [{ title: '水母二' }, { title: '珊瑚与水母' }] });
    expect(result.document.find(({ id }) => id === ids.single)?.twins).toBeUndefined();
  });

  test('returns all documents without the parameter', async () => {
    const result = await search({ collapse_twins: 'false' });
    expect(result.ids).toHaveLength(6);
    expect(result.document.every(({ twins }) => twins === undefined)).toBe(true);
  });

  test('counts for each facet value the results that its filter leaves', async () => {
    const { agg_ext, agg_category, agg_fee_type } = (await search({})).result;
    expect(counts(agg_ext)).toEqual({ pdf: 2, doc: 1, txt: 1 });
    expect(counts(agg_category)).toMatchObject({ [category]: 3, [otherCategory]: 1 });
    expect(counts(agg_fee_type)).toEqual({ free: 3, charge: 1 });
    for (const [ext, count] of Object.entries(counts(agg_ext))) expect((await search({ ext })).total, ext).toBe(count);
    const filteredSearch = await search({ ext: 'doc' });
    expect(filteredSearch.ids).toEqual(idsOf('second'));
    expect(counts(filteredSearch.result.agg_ext)).toEqual({ pdf: 2, doc: 1, txt: 1 });
    expect(counts(filteredSearch.result.agg_fee_type)).toEqual({ free: 1, charge: 1 });
    expect((await search({ ext: 'doc', fee_type: 'charge' })).ids).toEqual(idsOf('third'));
  });

  test('pages through the results without gaps and repetitions', async () => {
    const pages = await Promise.all(['1', '2', '3'].map((page) => search({ page, size: '1' })));
    expect(pages.flatMap((page) => page.ids).toSorted((a = 0, b = 0) => a - b)).toEqual(
      idsOf('first', 'single', 'otherFirst'),
    );
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3]);
    expect((await search({ page: '4', size: '1' })).document).toEqual([]);
  });

  test('finds a twin that alone has a word, and collapses results of every sort order', async () => {
    expect((await search({ wd: '珊瑚' })).ids).toEqual(idsOf('third'));
    for (const sort of ['default', 'pages', 'score', 'size', 'view_count'])
      expect((await search({ sort })).ids, sort).toEqual(idsOf('first', 'single', 'otherFirst'));
  });

  test('collapses documents that contain a phrase', async () => {
    const result = await search({ wd: '"水母没有骨头"' });
    expect(result.ids).toEqual(idsOf('first', 'single', 'otherFirst'));
    expect(result.total).toBe(3);
  });

  test('returns the next twin to viewers who may not see the oldest', async () => {
    await change(ids.first, { visibility: 1 });
    expect((await search({})).ids).toEqual(idsOf('second', 'single', 'otherFirst'));
    expect((await search({}, owner.headers)).ids).toEqual(idsOf('first', 'single', 'otherFirst'));
    await change(ids.first, { visibility: 0 });
    expect((await search({})).ids).toEqual(idsOf('first', 'single', 'otherFirst'));
  });

  test('returns the next twin while the oldest is deleted', async () => {
    await change(ids.first, { deleted_at: '2026-03-01T00:00:00Z' });
    const result = await search({});
    expect(result.ids).toEqual(idsOf('second', 'single', 'otherFirst'));
    expect(result.document.find(({ id }) => id === ids.second)?.twins?.total).toBe(1);
    await change(ids.first, { deleted_at: null });
    expect((await search({})).ids).toEqual(idsOf('first', 'single', 'otherFirst'));
  });
});
