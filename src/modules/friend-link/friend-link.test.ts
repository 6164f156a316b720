import { describe, expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import type { FriendLink } from './friend-link.contract.ts';

const { app, as } = await testApp();
const root = await as.root();
type Headers = { authorization?: string };

const list = async (query = '', headers: Headers = as.visitor): Promise<FriendLink[]> =>
  (await app.inject({ url: `/api/v1/friendlink/list${query}`, headers })).json().friendlink;
const send = (method: 'POST' | 'PUT', payload: object, headers: Headers = root) =>
  app.inject({ method, url: '/api/v1/friendlink', headers, payload });
const create = async (title: string, extraInput: object = {}): Promise<FriendLink> => {
  const response = await send('POST', { title, link: `https://${title}.example`, ...extraInput });
  expect(response.statusCode).toBe(200);
  return response.json();
};

test('creating a friend link returns it and shows it to visitors immediately', async () => {
  const row = await create('alpha', { description: '内部备注', sort: 5 });
  expect(row).toMatchObject({ title: 'alpha', description: '内部备注', sort: 5, enable: true });
  expect(await list()).toEqual([expect.objectContaining({ id: row.id, link: row.link })]);
});

test('visitors get enabled friend links only, without notes', async () => {
  await create('hidden', { enable: false, description: '不公开' });
  const text = JSON.stringify(await list('?enable=false&wd=hidden'));
  expect(text).not.toContain('hidden');
  expect(text).not.toContain('备注');
});

test('a visitor gets an enabled friend link by id without notes, and 404 for a disabled one', async () => {
  const visibleLink = await create('readable', { description: '内部备注', sort: 7 });
  const disabledLink = await create('unreadable', { enable: false });
  const getLink = (id: number, headers: Headers) => app.inject({ url: `/api/v1/friendlink?id=${id}`, headers });
  expect((await getLink(visibleLink.id, as.visitor)).json()).toMatchObject({
    title: 'readable',
    link: visibleLink.link,
    description: '',
    sort: 0,
  });
  expect((await getLink(disabledLink.id, as.visitor)).statusCode).toBe(404);
  const editor = await as.userWith(['FriendlinkAPI/GetFriendlink']);
  expect((await getLink(disabledLink.id, editor)).json()).toMatchObject({ title: 'unreadable' });
  for (const { id } of [visibleLink, disabledLink])
    await app.inject({ method: 'DELETE', url: `/api/v1/friendlink?id=${id}`, headers: root });
});

test('the friend link request of the public site returns three fields', async () => {
  const [row] = await list('?enable=true&field=id&field=title&field=link');
  expect(Object.keys(row ?? {})).toEqual(['id', 'title', 'link']);
});

test('administrators filter, sort and page the list of friend links', async () => {
  await create('beta', { sort: 9 });
  const titles = async (query: string) => (await list(query, root)).map((row) => row.title);
  expect(await titles('')).toEqual(['beta', 'alpha', 'hidden']);
  for (const falseValue of ['false', '0']) expect(await titles(`?enable=${falseValue}`)).toEqual(['hidden']);
  for (const trueValue of ['true', '1']) expect(await titles(`?enable=${trueValue}`)).toEqual(['beta', 'alpha']);
  expect(await titles('?wd=BET')).toEqual(['beta']);
  expect(await titles('?wd=%25')).toEqual([]);
  expect(await titles('?order=title%20asc&page=2&size=2')).toEqual(['hidden']);
  const rejectedResponse = await app.inject({ url: '/api/v1/friendlink/list?sort=secret', headers: root });
  expect(rejectedResponse.statusCode).toBe(400);
  const largestPage = await app.inject({ url: '/api/v1/friendlink/list?size=100', headers: root });
  expect(largestPage.statusCode).toBe(200);
  const tooMany = await app.inject({ url: '/api/v1/friendlink/list?size=101', headers: root });
  expect(tooMany.statusCode).toBe(400);
});

test('GET /friendlink/list without page and size returns every link', async () => {
  const titles = Array.from({ length: 12 }, (_, at) => `whole${at}`);
  const links = await Promise.all(titles.map((title) => create(title)));
  const rows = await list('?wd=whole', root);
  expect(rows.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
  const query = links.map(({ id }) => `id=${id}`).join('&');
  await app.inject({ method: 'DELETE', url: `/api/v1/friendlink?${query}`, headers: root });
});

test('updating a friend link changes the sent fields only', async () => {
  const { id } = await create('gamma', { description: '说明' });
  expect((await send('PUT', { id, title: '伽马', created_at: 'x' })).json()).toEqual({});
  const response = await app.inject({ url: `/api/v1/friendlink?id=${id}`, headers: root });
  expect(response.json()).toMatchObject({
    title: '伽马',
    link: 'https://gamma.example',
    description: '说明',
  });
  expect((await send('PUT', { id })).statusCode).toBe(200);
});

test('a duplicate friend link URL is rejected with 409, also for concurrent requests', async () => {
  const responses = await Promise.all(
    [1, 2].map(() => send('POST', { title: 'twice', link: 'https://twice.example' })),
  );
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  const { id } = await create('delta');
  const updateResponse = await send('PUT', { id, link: 'https://twice.example' });
  expect([updateResponse.statusCode, updateResponse.json().message]).toEqual([409, '友链地址已存在']);
});

test('deleted friend links return 404, and deleting again is no error', async () => {
  const { id } = await create('omega');
  for (let time = 0; time < 2; time++) {
    const url = `/api/v1/friendlink?id=${id}`;
    expect((await app.inject({ method: 'DELETE', url, headers: root })).json()).toEqual({});
  }
  const response = await app.inject({ url: `/api/v1/friendlink?id=${id}`, headers: root });
  expect([response.statusCode, response.json().message]).toEqual([404, '友链不存在']);
  expect((await send('PUT', { id, title: 'x' })).statusCode).toBe(404);
});

describe('the friend link API rejects', () => {
  test.each<[string, object]>([
    ['a javascript link', { title: 'x', link: 'javascript:alert(1)' }],
    ['a link without scheme', { title: 'x', link: 'example.com' }],
    ['a link with spaces', { title: 'x', link: 'https://a b' }],
    ['no title', { title: ' ', link: 'https://x.example' }],
    ['no link', { title: 'x' }],
    ['a long title', { title: '长'.repeat(65), link: 'https://x.example' }],
    ['an unknown key', { title: 'x', link: 'https://x.example', color: 'red' }],
    ['a sort value that is too large', { title: 'x', link: 'https://x.example', sort: 2 ** 31 }],
  ])('%s', async (_, payload) => {
    const response = await send('POST', payload);
    expect([response.statusCode, response.json().code]).toEqual([400, 'http.invalidInput']);
  });

  test.each([
    ['POST', 'CreateFriendlink', '创建友链'],
    ['PUT', 'UpdateFriendlink', '更新友链'],
    ['DELETE', 'DeleteFriendlink', '删除友链'],
  ] as const)('%s without its permission', async (method, permission, title) => {
    const call = async (headers: Headers) => app.inject({ method, url: '/api/v1/friendlink?id=1', headers });
    const visitor = await call(as.visitor);
    expect(visitor.statusCode).toBe(401);
    const withoutPermission = await call(await as.userWith(['FriendlinkAPI/ListFriendlink']));
    expect([withoutPermission.statusCode, withoutPermission.json().message]).toEqual([
      403,
      `您没有权限访问【${title}】`,
    ]);
    const withPermission = await call(await as.userWith([`FriendlinkAPI/${permission}`]));
    expect(withPermission.statusCode).not.toBe(403);
  });
});
