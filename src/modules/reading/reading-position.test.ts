import { beforeEach, describe, expect, test } from 'vitest';
import { addConvertedDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import type { HistoryItem } from './position.contract.ts';

type Headers = { authorization?: string };
const { app, ctx, as, clock, pool } = await testApp();
const NOW = new Date('2026-03-01T08:00:00Z');
const author = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);
const newDocument = (title: string, pages = 20) =>
  addConvertedDocument(ctx, author, { category_id, title }, { pages, ready_pages: pages });
let reader = await newMember(ctx);
beforeEach(async () => {
  clock.now = NOW;
  reader = await newMember(ctx);
});

const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1000).toISOString();
const put = (payload: object, headers: Headers = reader.headers) =>
  app.inject({ method: 'PUT', url: '/api/v1/document/position', headers, payload });
const position = async (id: number, headers: Headers = reader.headers) =>
  (await app.inject({ url: `/api/v1/document/position?id=${id}`, headers })).json();
const history = async (query = '', headers: Headers = reader.headers) =>
  (await app.inject({ url: `/api/v1/document/history${query}`, headers })).json();
const deleteHistory = (query: string, headers: Headers = reader.headers) =>
  app.inject({ method: 'DELETE', url: `/api/v1/document/history${query}`, headers });
const titles = ({ history }: { history: HistoryItem[] }) => history.map(({ document }) => document.title);

describe('the reading position', () => {
  test('is stored per account with the progress in percent', async () => {
    const id = await newDocument('小说');
    expect(await position(id)).toEqual({ page: 0, offset: 0, progress: 0, read_at: null });
    expect((await put({ id, page: 11, offset: 5_000 })).statusCode).toBe(200);
    expect(await position(id)).toEqual({
      page: 11,
      offset: 5_000,
      progress: 53,
      read_at: NOW.toISOString(),
    });
    await put({ id, page: 20, offset: 9_900 });
    expect((await position(id)).progress).toBe(99);
    await put({ id, page: 20, offset: 10_000 });
    expect((await position(id)).progress).toBe(100);
    expect((await position(id, (await newMember(ctx)).headers)).page).toBe(0);
  });

  test('is the one with the latest read_at, whichever request arrives first', async () => {
    const id = await newDocument('小说');
    await put({ id, page: 9, read_at: secondsAgo(5) });
    await put({ id, page: 4, read_at: secondsAgo(60) });
    expect((await position(id)).page).toBe(9);
    await put({ id, page: 3, read_at: secondsAgo(1) });
    expect((await position(id)).page).toBe(3);
  });

  test('never has a read_at in the future when a device clock is fast', async () => {
    const id = await newDocument('小说');
    await put({ id, page: 9, read_at: secondsAgo(-86_400) });
    expect((await position(id)).read_at).toBe(NOW.toISOString());
    clock.now = new Date(NOW.getTime() + 1_000);
    await put({ id, page: 12 });
    expect((await position(id)).page).toBe(12);
  });

  test('is limited to the last page and rejected for hidden documents and invalid values', async () => {
    const id = await newDocument('小说', 3);
    await put({ id, page: 900 });
    expect(await position(id)).toMatchObject({ page: 3, progress: 67 });
    await pool.query('update documents set visibility = 2 where id = $1', [id]);
    expect((await put({ id, page: 1 })).statusCode).toBe(404);
    for (const invalidPosition of [{ page: 0 }, { page: 1, offset: 10_001 }, { page: 1, read_at: '昨天' }])
      expect((await put({ id, ...invalidPosition })).statusCode).toBe(400);
    expect((await put({ id, page: 1 }, as.visitor)).statusCode).toBe(401);
  });
});

describe('the reading history', () => {
  async function readThree() {
    const ids = [await newDocument('甲'), await newDocument('乙'), await newDocument('丙')];
    for (const [at, id] of ids.entries()) await put({ id, page: 2, read_at: secondsAgo(100 - at) });
    return ids;
  }

  test('lists documents by last reading time, in pages, with position and progress', async () => {
    const [first = 0] = await readThree();
    await put({ id: first, page: 6 });
    const allPositions = await history();
    expect([allPositions.total, titles(allPositions)]).toEqual([3, ['甲', '丙', '乙']]);
    expect(allPositions.history[0]).toMatchObject({ page: 6, progress: 25, document: { pages: 20 } });
    expect(titles(await history('?page=2&size=2'))).toEqual(['乙']);
    expect(await history('', (await newMember(ctx)).headers)).toEqual({ total: 0, history: [] });
  });

  test('leaves out finished documents only with unfinished=true', async () => {
    const [first = 0, second = 0] = await readThree();
    await put({ id: first, page: 20, offset: 10_000 });
    await put({ id: second, page: 20, offset: 9_999 });
    expect(await history('?unfinished=true')).toMatchObject({ total: 2 });
    expect(titles(await history('?unfinished=true'))).toEqual(['乙', '丙']);
    expect((await history()).total).toBe(3);
    await put({ id: first, page: 1 });
    expect((await history('?unfinished=true')).total).toBe(3);
  });

  test('hides disabled documents and shows them again when they are enabled', async () => {
    const [, second] = await readThree();
    await pool.query(`update documents set review_state = 'disabled' where id = $1`, [second]);
    expect(await history()).toMatchObject({ total: 2 });
    await pool.query(`update documents set review_state = 'published', conversion_state = 'converted' where id = $1`, [
      second,
    ]);
    expect((await history()).total).toBe(3);
  });

  test("deletes one, several or all of the caller's entries and no others", async () => {
    const [first, second, third] = await readThree();
    const otherMember = await newMember(ctx);
    await put({ id: first, page: 2 }, otherMember.headers);
    expect((await deleteHistory('')).json().message).toBe('请选择要删除的阅读记录');
    expect((await deleteHistory(`?id=${first}`)).statusCode).toBe(200);
    expect((await deleteHistory(`?id=${first}&id=${second}`)).json().message).toBe('没有这条阅读记录');
    expect(titles(await history())).toEqual(['丙', '乙']);
    expect((await deleteHistory(`?id=${second}&id=${third}`)).statusCode).toBe(200);
    await readThree();
    expect((await deleteHistory('?all=true')).statusCode).toBe(200);
    expect((await history()).total).toBe(0);
    expect((await history('', otherMember.headers)).total).toBe(1);
  });
});
