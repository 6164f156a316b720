import { describe, expect, test } from 'vitest';
import { changeDocument } from '#modules/document/document.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { indexQueuedDocuments, queueAllDocuments } from './index/index-documents.ts';
import { updateSuggestionWeights } from './index/store-suggestions.ts';
import { deleteOldSearches } from './log/search-records.ts';
import { publishText } from './search.fixture.ts';
import { engineName, searchEnv } from './search-engine.fixture.ts';

const { app, as, ctx, pool, clock } = await testApp({ env: searchEnv() });
type Headers = { authorization?: string };
const get = async (url: string, headers: Headers = as.visitor) =>
  (await app.inject({ url: `/api/v1${url}`, headers })).json();
const search = (wd: string, headers?: Headers, ip = '127.0.0.1') =>
  app.inject({
    url: '/api/v1/document/search',
    query: { wd },
    headers,
    remoteAddress: ip,
  });
const suggest = async (wd: string, headers?: Headers): Promise<string[]> =>
  (await get(`/search/suggest?wd=${encodeURIComponent(wd)}`, headers)).suggestion.map(
    ({ text }: { text: string }) => text,
  );

await publishText(ctx, { title: '数据结构与算法', keywords: '数据结构,算法', pages: ['链表和树'] });
await publishText(ctx, { title: '重庆火锅底料', keywords: '火锅,重庆', pages: ['牛油'] });
await publishText(ctx, { title: '私人数据', visibility: 2, keywords: '机密词', pages: ['x'] });
await indexQueuedDocuments(ctx);

describe('search suggestions', () => {
  test('match the start of a title, inner words, pinyin and pinyin initials', async () => {
    for (const wd of ['数据', '数据结', '算法', 'shuju', 'shujujiegou', 'sjjg', 'suanfa', '數據'])
      expect(await suggest(wd), wd).toContain('数据结构与算法');
    expect(await suggest('chongqing')).toContain('重庆火锅底料');
    expect(await suggest('数据')).toContain('数据结构');
  });

  test('tolerate one typing error in pinyin and a homophone character', async () => {
    expect(await suggest('shjuu')).toContain('数据结构与算法');
    expect(await suggest('huogou')).toContain('火锅');
    expect(await suggest('书据结构')).toContain('数据结构');
  });

  test('never contain titles or keywords of private documents', async () => {
    expect((await suggest('私人')).concat(await suggest('机密'))).toEqual([]);
  });

  test('drop the keywords of a hidden document immediately and offer those of a members-only document to members only', async () => {
    const id = await publishText(ctx, { title: '裁员', keywords: '裁员方案', pages: ['x'] });
    await indexQueuedDocuments(ctx);
    expect(await suggest('裁员方')).toEqual(['裁员方案']);
    const change = (values: Parameters<typeof changeDocument>[2]) => changeDocument(ctx, id, values);
    for (const hidingChange of [
      { visibility: 2 },
      { visibility: 0, status: 4 },
      { deleted_at: '2026-02-01T00:00:00Z' },
    ] as const) {
      await change(hidingChange);
      expect(await suggest('裁员方'), JSON.stringify(hidingChange)).toEqual([]);
    }
    await change({ visibility: 1, status: 2, deleted_at: null });
    expect(await suggest('裁员方')).toEqual([]);
    expect(await suggest('裁员方', await as.user())).toEqual(['裁员方案']);
    await change({ visibility: 0, keywords: '优化' });
    await indexQueuedDocuments(ctx);
    expect(await suggest('裁员方')).toEqual([]);
    await change({ deleted_at: '2026-02-01T00:00:00Z' });
    await pool.query('delete from documents where id = $1', [id]);
    await pool.query("delete from search_suggestions where text in ('裁员方案', '优化')");
    await indexQueuedDocuments(ctx);
  });

  test('highlight the typed text, carry the document id, and are empty for blank input', async () => {
    const { suggestion } = await get(`/search/suggest?wd=${encodeURIComponent('算法')}`);
    const title = suggestion.find(({ type }: { type: string }) => type === 'title');
    expect(title).toMatchObject({ text: '数据结构与算法', marks: [[5, 7]] });
    expect(title.document_id).toBeGreaterThan(0);
    expect(await suggest('')).toEqual([]);
    expect(await suggest('   ')).toEqual([]);
  });
});

describe('search log', () => {
  test('keeps a history per member, suggests from it, and deletes one or all entries on request', async () => {
    const myHeaders = await as.user();
    const otherHeaders = await as.user();
    await search('数据结构', myHeaders);
    clock.now = new Date(clock.now.getTime() + 1000);
    await search('火锅', myHeaders);
    expect((await get('/search/history', myHeaders)).history).toEqual(['火锅', '数据结构']);
    expect((await get('/search/history', otherHeaders)).history).toEqual([]);
    const { suggestion } = await get(`/search/suggest?wd=${encodeURIComponent('火')}`, myHeaders);
    expect(suggestion[0]).toMatchObject({ type: 'history', text: '火锅' });
    const deleteHistory = (query: Record<string, string>) =>
      app.inject({ method: 'DELETE', url: '/api/v1/search/history', query, headers: myHeaders });
    await deleteHistory({ wd: '火锅' });
    expect((await get('/search/history', myHeaders)).history).toEqual(['数据结构']);
    await deleteHistory({});
    expect((await get('/search/history', myHeaders)).history).toEqual([]);
    expect((await app.inject({ url: '/api/v1/search/history' })).statusCode).toBe(401);
  });

  test('lists searches with their result count to administrators, and queries without results separately', async () => {
    await search('不存在的东西', undefined, '10.1.1.1');
    await search('不存在的东西', undefined, '10.1.1.2');
    const staff = await as.userWith(['SearchRecordAPI/ListSearchRecord']);
    const { search_record } = await get('/searchrecord/list?is_empty=true', staff);
    expect(search_record[0]).toMatchObject({
      keywords: '不存在的东西',
      total: 0,
      page: 1,
      user_id: 0,
      ip: '10.1.1.2',
    });
    const { word, total } = await get('/searchrecord/words?is_empty=true', staff);
    expect([total, word[0]]).toMatchObject([1, { keywords: '不存在的东西', count: 2, users: 2, total: 0 }]);
    expect((await app.inject({ url: '/api/v1/searchrecord/list' })).statusCode).toBe(401);
    const remover = await as.userWith(['SearchRecordAPI/DeleteSearchRecord']);
    const url = `/api/v1/searchrecord?id=${search_record[0].id}`;
    expect((await app.inject({ method: 'DELETE', url, headers: remover })).statusCode).toBe(200);
    expect((await get('/searchrecord/list?is_empty=true', staff)).total).toBe(1);
  });

  test("counts a member's search once when the same page was first rendered for a visitor", async () => {
    const myHeaders = await as.user();
    await search('链表和树', undefined, '10.3.3.3');
    await search('链表和树', myHeaders, '10.3.3.3');
    await search('链表和树', myHeaders, '10.3.3.3');
    const { rows } = await pool.query(
      `select user_id is not null as by_member from search_records where keywords = '链表和树'`,
    );
    // The member's second search is a separate record.
    expect(rows).toEqual([{ by_member: true }, { by_member: true }]);
  });

  test('publishes a query as popular only when several searchers made it and it had results', async () => {
    for (const from of ['10.2.2.1', '10.2.2.2', '2001:db8:1:1::1']) {
      await search('算法', undefined, from);
      await search('算法 加微信', undefined, from);
      await search('算法 -树', undefined, from);
    }
    // One household has many IPv6 addresses, and one person may use several devices.
    for (const from of ['2001:db8:2:2::1', '2001:db8:2:2::2', '2001:db8:2:2::3']) await search('链表', undefined, from);
    await search('链表', undefined, '10.2.2.2');
    await setSetting(ctx, 'system.recommend_words', '高考,论文');
    clock.now = new Date(clock.now.getTime() + 120_000);
    expect(await get('/search/hot')).toEqual({ recommend: ['高考', '论文'], hot: ['算法'] });
  });

  test('deletes records older than the retention setting and writes none for a retention of 0 days', async () => {
    clock.now = new Date(clock.now.getTime() + 8 * 86_400_000);
    await deleteOldSearches.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
    const total = async () => (await pool.query('select count(*)::int as total from search_records')).rows[0].total;
    expect(await total()).toBe(0);
    await setSetting(ctx, 'security.search_record_retention_days', '0');
    await search('算法');
    expect(await total()).toBe(0);
  });
});

describe('search synonyms', () => {
  test('take effect immediately after an administrator adds them and stop when disabled', async () => {
    const staff = await as.userWith(['SearchRecordAPI/ListSynonym', 'SearchRecordAPI/UpdateSynonym']);
    const send = (method: 'POST' | 'PUT', payload: object) =>
      app.inject({ method, url: '/api/v1/synonym', headers: staff, payload });
    const resultCount = async () => (await search('红汤')).json().total;
    expect(await resultCount()).toBe(0);
    const { id } = (await send('POST', { words: ['红汤', '牛油'] })).json();
    expect(await resultCount()).toBe(1);
    await send('PUT', { id, enable: false });
    expect(await resultCount()).toBe(0);
    expect((await get('/synonym/list', staff)).synonym[0]).toMatchObject({
      words: ['红汤', '牛油'],
      enable: false,
    });
    for (const words of [['一', '一'], ['數據', '数据'], ['!!', '??'], ['单个']])
      expect((await send('POST', { words })).statusCode, words.join()).toBe(400);
    const url = `/api/v1/synonym?id=${id}`;
    expect((await app.inject({ method: 'DELETE', url, headers: staff })).statusCode).toBe(200);
    expect((await get('/synonym/list', staff)).total).toBe(0);
  });
});

describe('the search index', () => {
  test('reports its state and size, and can be rebuilt while searches continue', async () => {
    const root = await as.root();
    const state = await get('/search/index', root);
    expect(state).toMatchObject({ engine: engineName, state: 'ok', pending: 0, documents: 3 });
    expect(state.size).toBeGreaterThan(0);
    const url = '/api/v1/document/index';
    expect((await app.inject({ method: 'PUT', url, headers: root })).statusCode).toBe(200);
    expect((await get('/search/index', root)).pending).toBe(3);
    expect((await search('算法')).json().total).toBe(1);
    await indexQueuedDocuments(ctx);
    expect((await search('算法')).json().total).toBe(1);
    expect(await queueAllDocuments(ctx)).toBe(3);
    expect(await indexQueuedDocuments(ctx)).toBe(3);
  });

  test('keeps the queued removal of a hidden document when it is rebuilt', async () => {
    const id = await publishText(ctx, { title: '将要隐藏', pages: ['x'] });
    await indexQueuedDocuments(ctx);
    await changeDocument(ctx, id, { status: 4 });
    await queueAllDocuments(ctx);
    const { rows } = await pool.query('select 1 from search_index_queue where document_id = $1', [id]);
    expect(rows).toHaveLength(1);
    await changeDocument(ctx, id, { deleted_at: '2026-02-01T00:00:00Z' });
    await pool.query('delete from documents where id = $1', [id]);
    await indexQueuedDocuments(ctx);
  });

  test('keeps the keywords of its documents as suggestions and deletes unused ones', async () => {
    await pool.query(`insert into search_suggestions (text, normalized, keys, scope, weight)
      values ('没人用的词', '没人用的词', '{}', 0, 1)`);
    await updateSuggestionWeights.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
    const { rows } = await pool.query('select text from search_suggestions where document_id is null order by text');
    expect(rows.map(({ text }) => text).toSorted()).toEqual(['数据结构', '算法', '火锅', '重庆', '机密词'].toSorted());
  });
});
