import { beforeEach, describe, expect, test } from 'vitest';
import { balanceOf, numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { findLedgerViolations } from '#modules/credit/ledger.fixture.ts';
import { changeDocument } from '#modules/document/document.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { newDocument, newReader } from './favorite.fixture.ts';

const { app, ctx, clock, pool } = await testApp();
type Headers = { authorization?: string };
type Doc = Awaited<ReturnType<typeof newDocument>>;
let document: Doc;
let reader: Awaited<ReturnType<typeof newMember>>;
beforeEach(async () => {
  document = await newDocument(ctx);
  reader = await newMember(ctx);
});

const add = (payload: object, headers: Headers = reader.headers) =>
  app.inject({ method: 'POST', url: '/api/v1/favorite', headers, payload });
const remove = (ids: number[], headers: Headers = reader.headers) =>
  app.inject({ method: 'DELETE', url: `/api/v1/favorite?id=${ids.join('&id=')}`, headers });
const list = async (query = '', headers: Headers = reader.headers) =>
  (await app.inject({ url: `/api/v1/favorite/list${query}`, headers })).json();
const counts = async () => {
  const { rows } = await pool.query(
    `select d.favorite_count as document, u.favorite_count as reader
     from documents d, users u where d.id = $1 and u.id = $2`,
    [document.id, reader.id],
  );
  return [rows[0].document, rows[0].reader];
};

describe('a favorite', () => {
  test('is stored once, counted for document and reader, returned by get and list, and removed', async () => {
    const favorite = (await add({ document_id: document.id, type: 0 })).json();
    expect(favorite).toEqual({
      id: expect.any(Number),
      user_id: reader.id,
      document_id: document.id,
      folder_id: 0,
      created_at: clock.now.toISOString(),
    });
    const secondResponse = await add({ document_id: document.id });
    expect([secondResponse.statusCode, secondResponse.json().message]).toEqual([409, '您已经收藏过了']);
    expect(await counts()).toEqual([1, 1]);
    const response = await app.inject({
      url: `/api/v1/favorite?document_id=${document.id}`,
      headers: reader.headers,
    });
    expect(response.json().id).toBe(favorite.id);
    const { total, favorite: favorites } = await list();
    expect([total, favorites]).toEqual([
      1,
      [expect.objectContaining({ id: favorite.id, title: document.title, ext: '.pdf', pages: 3 })],
    ]);
    expect((await remove([favorite.id])).json()).toEqual({});
    expect(await counts()).toEqual([0, 0]);
    const emptyResponse = await app.inject({
      url: `/api/v1/favorite?document_id=${document.id}`,
      headers: reader.headers,
    });
    expect(emptyResponse.json()).toMatchObject({ id: 0, created_at: null });
  });

  test('of one reader, added by 40 concurrent requests, is stored once', async () => {
    const responses = await Promise.all(numbersUpTo(40).map(() => add({ document_id: document.id })));
    const statuses = responses.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(39);
    expect(await counts()).toEqual([1, 1]);
  });

  test('of 40 concurrent readers counts 40 and pays the author up to the daily limit', async () => {
    await setSetting(ctx, 'score.document_collected_limit', '7');
    const readers = await Promise.all(numbersUpTo(40).map(() => newReader(ctx)));
    const before = await balanceOf(ctx, document.author.id);
    const responses = await Promise.all(readers.map(({ headers }) => add({ document_id: document.id }, headers)));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect((await counts())[0]).toBe(40);
    expect(await balanceOf(ctx, document.author.id)).toBe(before + 7);
    await Promise.all(responses.map((response, at) => remove([response.json().id], readers[at]?.headers)));
    expect((await counts())[0]).toBe(0);
    // Removing and adding again pays nothing, also on another day.
    clock.now = new Date(clock.now.getTime() + 24 * 60 * 60 * 1000);
    const rewardedReaders = readers.slice(0, 20);
    for (const { headers } of rewardedReaders) await add({ document_id: document.id }, headers);
    const { rows } = await pool.query(
      `select count(*)::int as rewards, count(distinct key)::int as keys from ledger_events
       where reference = $1 and reason = 'document_collected'`,
      [`document:${document.id}`],
    );
    expect(rows[0].rewards).toBe(rows[0].keys);
    expect(await findLedgerViolations(pool)).toEqual([]);
    await setSetting(ctx, 'score.document_collected_limit', '1');
  });

  test('of users who concurrently favor each other’s documents causes no deadlock', async () => {
    const documents = await Promise.all(numbersUpTo(6).map(() => newDocument(ctx)));
    const responses = await Promise.all(
      documents.flatMap(({ author }) =>
        documents
          .filter((favorite) => favorite.author !== author)
          .map((favorite) => add({ document_id: favorite.id }, author.headers)),
      ),
    );
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(await findLedgerViolations(pool)).toEqual([]);
  });

  test('by the author of the document pays nothing', async () => {
    const before = await balanceOf(ctx, document.author.id);
    expect((await add({ document_id: document.id }, document.author.headers)).statusCode).toBe(200);
    expect(await balanceOf(ctx, document.author.id)).toBe(before);
  });

  test('of a hidden document is rejected with 404, and an existing one is listed without title for its owner only', async () => {
    await add({ document_id: document.id });
    await pool.query('update documents set visibility = 2 where id = $1', [document.id]);
    expect((await list()).favorite).toEqual([expect.objectContaining({ document_id: document.id, title: '' })]);
    expect(await list(`?user_id=${reader.id}`, {})).toEqual({ total: 0, favorite: [] });
    const otherMember = await newMember(ctx);
    expect((await add({ document_id: document.id }, otherMember.headers)).statusCode).toBe(404);
    expect((await add({ document_id: 999_999 })).statusCode).toBe(404);
  });

  test('is deleted with its document and with its reader, and the counts follow', async () => {
    await add({ document_id: document.id });
    const otherMember = await newMember(ctx);
    await add({ document_id: document.id }, otherMember.headers);
    await pool.query('delete from users where id = $1', [otherMember.id]);
    expect(await counts()).toEqual([1, 1]);
    await pool.query('update documents set deleted_at = now() where id = $1', [document.id]);
    await pool.query('delete from documents where id = $1', [document.id]);
    const { rows } = await pool.query('select favorite_count from users where id = $1', [reader.id]);
    expect(rows[0].favorite_count).toBe(0);
  });
});

describe('a renamed document', () => {
  test('has its new title in activities and notifications', async () => {
    await add({ document_id: document.id });
    await changeDocument(ctx, document.id, { title: '新的"题目"' });
    const feed = await app.inject({ url: `/api/v1/user/dynamic?id=${reader.id}` });
    expect(feed.json().dynamic[0].content).toBe('收藏了文档《新的"题目"》');
    const { headers } = document.author;
    const notifications = (await app.inject({ url: '/api/v1/notification/list', headers })).json();
    expect(notifications.notification[0].content).toBe(`${reader.username} 收藏了您的文档《新的"题目"》`);
  });
});

describe('favorites of a user', () => {
  const privacy = (payload: object) =>
    app.inject({ method: 'PUT', url: '/api/v1/user/privacy', headers: reader.headers, payload });
  const feedOf = async (headers: Headers = {}) =>
    (await app.inject({ url: `/api/v1/user/dynamic?id=${reader.id}`, headers })).json().dynamic;

  test('are visible to others unless the user hides them', async () => {
    await add({ document_id: document.id });
    expect((await list(`?user_id=${reader.id}`, {})).total).toBe(1);
    expect(await feedOf()).toHaveLength(1);
    expect((await privacy({ hide_favorite: true })).json()).toEqual({});
    const hiddenResponse = await app.inject({ url: `/api/v1/favorite/list?user_id=${reader.id}` });
    expect([hiddenResponse.statusCode, hiddenResponse.json().code]).toEqual([403, 'favorite.hidden']);
    expect(await feedOf()).toEqual([]);
    expect(await feedOf(reader.headers)).toHaveLength(1);
    expect((await list()).total).toBe(1);
    const myAccount = await app.inject({ url: '/api/v1/user', headers: reader.headers });
    expect(myAccount.json()).toMatchObject({ hide_favorite: true, hide_follow: false });
    const publicProfile = await app.inject({ url: `/api/v1/user?id=${reader.id}` });
    expect(publicProfile.json()).not.toHaveProperty('hide_favorite');
    const unreadCount = async () =>
      (
        await app.inject({
          url: '/api/v1/notification/unread',
          headers: document.author.headers,
        })
      ).json().unread;
    expect(await unreadCount()).toBe(1);
    // The author of another document is rewarded but not notified.
    const otherDocument = await newDocument(ctx);
    await add({ document_id: otherDocument.id });
    const { headers } = otherDocument.author;
    expect((await app.inject({ url: '/api/v1/notification/unread', headers })).json().unread).toBe(0);
    await privacy({ hide_favorite: false });
    expect((await list(`?user_id=${reader.id}`, {})).total).toBe(2);
  });
});
