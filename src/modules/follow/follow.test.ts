import { beforeEach, describe, expect, test } from 'vitest';
import { numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { changeDocument } from '#modules/document/document.fixture.ts';
import { newDocument, newReader } from '#modules/favorite/favorite.fixture.ts';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';
import type { FeedItem, FollowListUser } from './follow.contract.ts';

const { app, ctx, pool, as } = await testApp();
type Headers = { authorization?: string };
type Person = Awaited<ReturnType<typeof newReader>>;
let follower: Person;
let followedUser: Person;
beforeEach(async () => {
  [follower, followedUser] = [await newReader(ctx), await newReader(ctx)];
});

const follow = (target: number, { headers }: { headers: Headers } = follower) =>
  app.inject({ method: 'POST', url: '/api/v1/follow', headers, payload: { user_id: target } });
const unfollow = (target: number, { headers }: { headers: Headers } = follower) =>
  app.inject({ method: 'DELETE', url: `/api/v1/follow?user_id=${target}`, headers });
const get = (path: string, headers: Headers = {}) => app.inject({ url: `/api/v1${path}`, headers });
const idsOf = async (userId: number, type: 'fans' | 'follow', headers: Headers = {}) =>
  (await get(`/follow/list?user_id=${userId}&type=${type}`, headers)).json().user.map(({ id }: FollowListUser) => id);
const countsOf = async (userId: number) => {
  const { follow_count, fans_count } = (await get(`/user?id=${userId}`)).json();
  return [follow_count, fans_count];
};
const privacy = (payload: object, { headers }: Person) =>
  app.inject({ method: 'PUT', url: '/api/v1/user/privacy', headers, payload });

describe('following a user', () => {
  test('whose account is concurrently deleted causes no error and leaves exact counts', async () => {
    const deletedUsers = await Promise.all(numbersUpTo(8).map(() => newReader(ctx)));
    const remainingUsers = await Promise.all(numbersUpTo(4).map(() => newReader(ctx)));
    const headers = await as.root();
    const responses = await Promise.all([
      ...deletedUsers.map(({ id }) =>
        app.inject({
          method: 'DELETE',
          url: `/api/v1/user?id=${id}`,
          headers,
          payload: { password: ADMIN_PASSWORD },
        }),
      ),
      ...remainingUsers.flatMap((fan) => deletedUsers.map(({ id }) => follow(id, fan))),
      ...deletedUsers.flatMap((fan) => remainingUsers.map(({ id }) => follow(id, fan))),
    ]);
    const serverErrors = responses.map(({ statusCode }) => statusCode).filter((code) => code >= 500);
    expect(serverErrors).toEqual([]);
    for (const { id } of remainingUsers) expect(await countsOf(id)).toEqual([0, 0]);
  });

  test('updates both counts, notifies the user, and can be undone', async () => {
    expect((await follow(followedUser.id)).json()).toEqual({});
    expect((await follow(followedUser.id)).statusCode).toBe(409);
    expect([await countsOf(follower.id), await countsOf(followedUser.id)]).toEqual([
      [1, 0],
      [0, 1],
    ]);
    const relation = (await get(`/follow?user_id=${followedUser.id}`, follower.headers)).json();
    expect(relation).toEqual({ user_id: followedUser.id, is_following: true, is_fan: false });
    const notifications = (await get('/notification/list', followedUser.headers)).json().notification;
    expect(notifications).toMatchObject([{ kind: 'follow', link: `/user/${follower.id}`, is_read: false }]);
    expect((await unfollow(followedUser.id)).json()).toEqual({});
    expect((await unfollow(followedUser.id)).json()).toEqual({});
    expect([await countsOf(follower.id), await countsOf(followedUser.id)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    // Following again notifies no second time.
    await follow(followedUser.id);
    expect((await get('/notification/list', followedUser.headers)).json().total).toBe(1);
  });

  test('is rejected for oneself, for an unknown user and for visitors', async () => {
    expect((await follow(follower.id)).json().message).toBe('不能关注自己');
    expect((await follow(999_999)).statusCode).toBe(404);
    expect((await follow(followedUser.id, { headers: {} })).statusCode).toBe(401);
  });

  test('by 40 concurrent readers counts 40, and 40 concurrent requests of one reader count one', async () => {
    const people = await Promise.all(numbersUpTo(40).map(() => newReader(ctx)));
    const responses = await Promise.all(people.map((person) => follow(followedUser.id, person)));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const repeatedResponses = await Promise.all(numbersUpTo(40).map(() => follow(followedUser.id)));
    expect(repeatedResponses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect((await countsOf(followedUser.id))[1]).toBe(41);
    expect((await get('/notification/unread', followedUser.headers)).json()).toEqual({ unread: 41 });
    await Promise.all(people.map((person) => unfollow(followedUser.id, person)));
    expect((await countsOf(followedUser.id))[1]).toBe(1);
  });

  test('by many users who concurrently follow each other causes no deadlock', async () => {
    const people = await Promise.all(numbersUpTo(8).map(() => newReader(ctx)));
    const responses = await Promise.all(
      people.flatMap((person) => people.filter((each) => each !== person).map(({ id }) => follow(id, person))),
    );
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    for (const { id } of people) expect(await countsOf(id)).toEqual([7, 7]);
  });

  test('ends when the followed account is deleted', async () => {
    await follow(followedUser.id);
    await pool.query('delete from users where id = $1', [followedUser.id]);
    expect(await countsOf(follower.id)).toEqual([0, 0]);
  });
});

describe('lists of fans and followed users', () => {
  test('are sorted newest first and contain public fields only', async () => {
    const third = await newReader(ctx);
    await follow(followedUser.id);
    await follow(third.id);
    await follow(followedUser.id, third);
    expect(await idsOf(follower.id, 'follow')).toEqual([third.id, followedUser.id]);
    expect(await idsOf(followedUser.id, 'fans')).toEqual([third.id, follower.id]);
    const { total, user } = (await get(`/follow/list?user_id=${followedUser.id}&type=fans`, follower.headers)).json();
    expect(total).toBe(2);
    expect(user.map(({ is_following }: FollowListUser) => is_following)).toEqual([true, false]);
    expect(Object.keys(user[0])).not.toContain('email');
    expect((await get('/follow/list?type=follow', follower.headers)).json().total).toBe(2);
    expect((await get('/follow/list')).statusCode).toBe(401);
    expect((await get(`/follow/list?user_id=${follower.id}&type=friends`)).statusCode).toBe(400);
  });

  test('leave out a user who hides whom they follow', async () => {
    await follow(followedUser.id);
    await privacy({ hide_follow: true }, follower);
    const response = await get(`/follow/list?user_id=${follower.id}&type=follow`, followedUser.headers);
    expect([response.statusCode, response.json().code]).toEqual([403, 'follow.hidden']);
    expect(await idsOf(follower.id, 'follow', follower.headers)).toEqual([followedUser.id]);
    expect(await idsOf(followedUser.id, 'fans')).toEqual([]);
    expect(await idsOf(followedUser.id, 'fans', followedUser.headers)).toEqual([follower.id]);
    expect((await get(`/user/dynamic?id=${follower.id}`)).json().total).toBe(0);
  });
});

describe('the fans of a user', () => {
  test('match the fan count together with the number of hidden fans', async () => {
    await follow(followedUser.id);
    const third = await newReader(ctx);
    await follow(followedUser.id, third);
    await privacy({ hide_follow: true }, follower);
    const [, fans] = await countsOf(followedUser.id);
    const list = (await get(`/follow/list?user_id=${followedUser.id}&type=fans`)).json();
    expect(list).toMatchObject({ total: 1, hidden: 1, user: [{ id: third.id }] });
    expect(list.total + list.hidden).toBe(fans);
    const ownerList = (await get(`/follow/list?user_id=${followedUser.id}&type=fans`, followedUser.headers)).json();
    expect(ownerList).toMatchObject({ total: 2, hidden: 0 });
  });

  test.each([
    ['deleted', 1],
    ['banned', 2],
  ])('match the fan count after a fan was %s', async (change, fans) => {
    const third = await newReader(ctx);
    await follow(followedUser.id);
    await follow(followedUser.id, third);
    const headers = await as.root();
    const response =
      change === 'deleted'
        ? await app.inject({
            method: 'DELETE',
            url: `/api/v1/user?id=${third.id}`,
            headers,
            payload: { password: ADMIN_PASSWORD },
          })
        : await app.inject({
            method: 'PUT',
            url: '/api/v1/user/ban',
            headers,
            payload: { id: [third.id], ban: true, reason: '广告' },
          });
    expect([response.statusCode, response.body]).toEqual([200, '{}']);
    expect((await countsOf(followedUser.id))[1]).toBe(fans);
    const list = (await get(`/follow/list?user_id=${followedUser.id}&type=fans`)).json();
    expect(list).toMatchObject({ total: fans, hidden: 0 });
  });
});

describe('a user who hides whom they follow', () => {
  test('causes no notification when following', async () => {
    await privacy({ hide_follow: true }, follower);
    expect((await follow(followedUser.id)).statusCode).toBe(200);
    expect((await get('/notification/unread', followedUser.headers)).json()).toEqual({ unread: 0 });
    expect((await countsOf(followedUser.id))[1]).toBe(1);
  });
});

describe('the follow feed', () => {
  const feedOf = async ({ headers }: Person, query = '') => (await get(`/follow/dynamic${query}`, headers)).json();

  test('shows activities of followed users newest first, without hidden favorites and documents', async () => {
    const { author, id } = await newDocument(ctx, { title: '力学讲义' });
    await follow(author.id);
    await follow(followedUser.id);
    const favoriteResponse = await app.inject({
      method: 'POST',
      url: '/api/v1/favorite',
      headers: followedUser.headers,
      payload: { document_id: id },
    });
    expect(favoriteResponse.statusCode).toBe(200);
    const { total, dynamic } = await feedOf(follower);
    expect(total).toBe(2);
    expect(dynamic.map(({ user, content, document_id }: FeedItem) => [user.id, content, document_id])).toEqual([
      [followedUser.id, '收藏了文档《力学讲义》', id],
      [author.id, '上传了文档《力学讲义》', id],
    ]);
    await privacy({ hide_favorite: true }, followedUser);
    expect((await feedOf(follower)).total).toBe(1);
    await changeDocument(ctx, id, { visibility: 2 });
    expect(await feedOf(follower)).toEqual({ total: 0, dynamic: [] });
    expect((await feedOf(followedUser)).total).toBe(0);
  });

  test('is paged and limited to 200 activities', async () => {
    await follow(followedUser.id);
    await pool.query(
      `insert into activities (user_id, type, payload)
       select $1, 12, '{"document": {"id": 999999, "title": "一篇"}}' from generate_series(1, 250)`,
      [followedUser.id],
    );
    expect((await feedOf(follower, '?size=20')).dynamic).toHaveLength(20);
    expect((await feedOf(follower, '?size=20&page=10')).dynamic).toHaveLength(20);
    expect(await feedOf(follower, '?size=20&page=11')).toEqual({ total: 200, dynamic: [] });
  });
});
