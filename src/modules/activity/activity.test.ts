import { expect, test } from 'vitest';
import { userErrors } from '#modules/account/account.contract.ts';
import { createUserWithCredit, numbersUpTo } from '#modules/credit/credit.fixture.ts';
import { loginHeaders } from '#modules/role/role.fixture.ts';
import { errorBody } from '#platform/contract/errors.ts';
import { testApp } from '#testing/test-app.ts';
import { type Activity, activityTypes } from './activity.contract.ts';
import { recordActivity } from './activity.ts';
import { activityKinds, type NewActivity, publicActivityTypes } from './activity-kinds.ts';

const { app, clock, ctx, pool } = await testApp();

const requestFeed = (query = '', headers: { authorization?: string } = {}) =>
  app.inject({ url: `/api/v1/user/dynamic${query}`, headers });
const listActivityTexts = async (answer: ReturnType<typeof requestFeed>) =>
  (await answer).json().dynamic.map(({ content }: Activity) => content);
const document = { id: 7, title: '<img src=x onerror=alert(1)>' };

const oneOfEachKind = (userId: number): NewActivity[] => [
  { userId, type: 'comment', payload: { document } },
  { userId, type: 'comment', payload: { document, received: true, award: 1 } },
  { userId, type: 'favorite', payload: { document } },
  { userId, type: 'favorite', payload: { document, received: true, award: 2 } },
  { userId, type: 'upload', payload: { document, award: 5 } },
  { userId, type: 'download', payload: { document, price: 3 } },
  { userId, type: 'login', payload: {} },
  { userId, type: 'register', payload: { award: 10 } },
  { userId, type: 'avatar', payload: {} },
  { userId, type: 'password', payload: {} },
  { userId, type: 'profile', payload: {} },
  { userId, type: 'verify', payload: {} },
  { userId, type: 'sign', payload: {} },
  { userId, type: 'share', payload: { document } },
  { userId, type: 'follow', payload: { user: { id: 1, username: 'admin' } } },
  { userId, type: 'delete_document', payload: { document, penalty: 1 } },
];
const { title } = document;

test('a user sees all of their activities, newest first, as plain text with amounts of credit', async () => {
  const id = await createUserWithCredit(ctx);
  for (const activity of oneOfEachKind(id)) await recordActivity(ctx, activity);
  const answer = requestFeed('?size=20', await loginHeaders(ctx, id));
  expect(await listActivityTexts(answer)).toEqual([
    `删除了文档《${title}》，扣除 1 个豆`,
    '关注了 admin',
    `分享了文档《${title}》`,
    '完成了每日签到',
    '完成了认证',
    '修改了资料',
    '修改了密码',
    '更换了头像',
    '注册成为本站用户，获得 10 个豆奖励',
    '登录了网站',
    `下载了文档《${title}》，支付 3 个豆`,
    `上传了文档《${title}》，获得 5 个豆奖励`,
    `文档《${title}》被收藏，获得 2 个豆奖励`,
    `收藏了文档《${title}》`,
    `文档《${title}》收到了评论，获得 1 个豆奖励`,
    `评论了文档《${title}》`,
  ]);
  const { total, dynamic } = (await answer).json();
  expect(total).toBe(16);
  expect(dynamic[0]).toEqual({
    id: expect.any(Number),
    type: 14,
    content: expect.any(String),
    user_id: id,
    created_at: clock.now.toISOString(),
  });
});

test('other users see no credit, logins, account changes, downloads and deletions', async () => {
  const id = await createUserWithCredit(ctx);
  for (const activity of oneOfEachKind(id)) await recordActivity(ctx, activity);
  const otherHeaders = await loginHeaders(ctx, await createUserWithCredit(ctx));
  const expected = [
    '关注了 admin',
    `分享了文档《${title}》`,
    '完成了每日签到',
    '注册成为本站用户',
    `上传了文档《${title}》`,
    `文档《${title}》被收藏`,
    `收藏了文档《${title}》`,
    `文档《${title}》收到了评论`,
    `评论了文档《${title}》`,
  ];
  for (const headers of [{}, otherHeaders]) {
    expect(await listActivityTexts(requestFeed(`?id=${id}`, headers))).toEqual(expected);
    expect((await requestFeed(`?id=${id}`, headers)).json().total).toBe(9);
  }
});

test('every activity type of the API can be recorded, and the partial index has the same public types', async () => {
  expect(Object.keys(activityKinds).sort()).toEqual(Object.keys(activityTypes).sort());
  const { rows } = await pool.query(`select indexdef from pg_indexes where indexname = 'activities_public_idx'`);
  const indexedTypes = /ARRAY\[([\d, ]+)\]/.exec(rows[0].indexdef)?.[1]?.split(', ').map(Number);
  expect(indexedTypes).toEqual(publicActivityTypes);
});

test('a page of activities has at least ten and at most a hundred rows', async () => {
  const id = await createUserWithCredit(ctx);
  for (const award of numbersUpTo(23)) await recordActivity(ctx, { userId: id, type: 'sign', payload: { award } });
  const headers = await loginHeaders(ctx, id);
  const lengthOf = async (query: string) => (await requestFeed(query, headers)).json().dynamic.length;
  expect([
    await lengthOf(''),
    await lengthOf('?size=2'),
    await lengthOf('?size=2&page=3'),
    await lengthOf('?page=4'),
    await lengthOf('?size=100'),
  ]).toEqual([10, 10, 3, 0, 23]);
  expect((await requestFeed('?size=101', headers)).statusCode).toBe(400);
});

test('the feed requires the id of an existing user or a login', async () => {
  const id = await createUserWithCredit(ctx);
  await recordActivity(ctx, { userId: id, type: 'login', payload: {} });
  const headers = await loginHeaders(ctx, id);
  for (const query of ['', '?id=0', `?id=${id}`])
    expect(await listActivityTexts(requestFeed(query, headers))).toEqual(['登录了网站']);
  expect((await requestFeed()).statusCode).toBe(401);
  expect((await requestFeed('?id=0')).statusCode).toBe(401);
  expect((await requestFeed('?id=-1')).statusCode).toBe(400);
  expect((await requestFeed('?id=abc')).statusCode).toBe(400);
  expect((await requestFeed('?id=999999')).json()).toEqual(errorBody(userErrors.notFound()));
});

test('an activity with an invalid payload gets a generic text and does not hide the others', async () => {
  const id = await createUserWithCredit(ctx);
  await recordActivity(ctx, { userId: id, type: 'login', payload: {} });
  await pool.query('insert into activities (user_id, type) values ($1, 3)', [id]);
  expect(await listActivityTexts(requestFeed('', await loginHeaders(ctx, id)))).toEqual(['有一条动态', '登录了网站']);
});
