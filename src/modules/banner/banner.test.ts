import { describe, expect, test } from 'vitest';
import { makePicture, multipartForm } from '#modules/attachment/picture.fixture.ts';
import { errorBody } from '#platform/contract/errors.ts';
import { testApp } from '#testing/test-app.ts';
import { type Banner, bannerErrors } from './banner.contract.ts';

const { app, as, pool } = await testApp();
const root = await as.root();
type Headers = { authorization?: string };

async function upload(kind = 'banner'): Promise<string> {
  const { payload, contentType } = multipartForm(await makePicture());
  const headers = { ...root, 'content-type': contentType };
  const url = `/api/v1/upload/${kind}`;
  return (await app.inject({ method: 'POST', url, headers, payload })).json().data.path;
}
const list = async (query = '', headers: Headers = as.visitor): Promise<Banner[]> =>
  (await app.inject({ url: `/api/v1/banner/list${query}`, headers })).json().banner;
const send = (method: 'POST' | 'PUT', payload: object, headers: Headers = root) =>
  app.inject({ method, url: '/api/v1/banner', headers, payload });
const create = async (title: string, extraInput: object = {}): Promise<Banner> => {
  const response = await send('POST', { title, path: await upload(), ...extraInput });
  expect(response.statusCode).toBe(200);
  return response.json();
};
const usedBy = async (path: string) =>
  (await pool.query('select type_id::int as id from attachments where path = $1 order by id', [path])).rows;

test('creating a banner returns it, publishes it immediately and marks its picture as used', async () => {
  const row = await create('春季', { description: '备注', url: '/category/1', sort: 2 });
  expect(row).toMatchObject({ title: '春季', url: '/category/1', sort: 2, enable: true, type: 0 });
  expect((await list()).map(({ id }) => id)).toEqual([row.id]);
  expect(await usedBy(row.path)).toEqual([{ id: row.id }]);
});

test('the banner request of the home page returns enabled website banners with four fields', async () => {
  await create('停用', { enable: false });
  await create('小程序', { type: 1 });
  const query = '?enable=true&type=0&field=id&field=title&field=path&field=url';
  const rows = await list(query);
  expect(rows.map(({ title }) => title)).toEqual(['春季']);
  expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(['id', 'path', 'title', 'url']);
});

test('visitors get no disabled banners and no notes', async () => {
  const text = JSON.stringify(await list('?enable=false'));
  expect(text).not.toContain('停用');
  expect(text).not.toContain('备注');
});

test('administrators filter, sort and page the list of banners', async () => {
  await create('夏季', { sort: 8 });
  const titles = async (query = '') => (await list(query, root)).map(({ title }) => title);
  expect(await titles()).toEqual(['夏季', '春季', '小程序', '停用']);
  expect(await titles('?enable=false')).toEqual(['停用']);
  expect(await titles('?type=1&type=2')).toEqual(['小程序']);
  expect(await titles('?wd=季')).toEqual(['夏季', '春季']);
  expect(await titles('?order=id&size=1&page=2')).toEqual(['小程序']);
  const page = await app.inject({ url: '/api/v1/banner/list?size=1', headers: root });
  expect(page.json().total).toBe(4);
  for (const invalidQuery of ['?order=path2', '?type=9', '?page=0', '?size=1000', '?enable=maybe'])
    expect((await app.inject({ url: `/api/v1/banner/list${invalidQuery}`, headers: root })).statusCode).toBe(400);
});

test('a new banner picture is marked as used and the old one as unused', async () => {
  const { id, path: oldPath } = await create('换图');
  const path = await upload();
  expect((await send('PUT', { id, path, updated_at: 'x' })).json()).toEqual({});
  expect([await usedBy(oldPath), await usedBy(path)]).toEqual([[{ id: 0 }], [{ id }]]);
  const response = await app.inject({ url: `/api/v1/banner?id=${id}`, headers: root });
  expect(response.json()).toMatchObject({ path, title: '换图' });
});

test('deleting a banner marks its picture as unused', async () => {
  const { id, path } = await create('删除');
  const deletion = await app.inject({
    method: 'DELETE',
    url: `/api/v1/banner?id=${id}`,
    headers: root,
  });
  expect(deletion.json()).toEqual({});
  expect(await usedBy(path)).toEqual([{ id: 0 }]);
  const response = await app.inject({ url: `/api/v1/banner?id=${id}`, headers: root });
  expect([response.statusCode, response.json().message]).toEqual([404, '横幅不存在']);
  expect((await send('PUT', { id, title: 'x' })).statusCode).toBe(404);
});

describe('the banner API rejects', () => {
  test.each([
    ['https://elsewhere.example/a.png'],
    ['/uploads/banner/../../etc/passwd'],
    [`/uploads/banner/00/${'0'.repeat(64)}.webp`],
    ['data:image/png;base64,AAAA'],
  ])('the picture %s, which was not uploaded to this site', async (path) => {
    const before = await list('', root);
    const response = await send('POST', { path });
    expect([response.statusCode, response.json()]).toEqual([
      400,
      errorBody(bannerErrors.foreignPicture('横幅图片需要先上传到本站')),
    ]);
    expect(await list('', root)).toEqual(before);
  });

  test.each<[string, object]>([
    ['no picture', { title: 'x' }],
    ['a javascript link', { path: '/x', url: 'javascript:alert(1)' }],
    ['a protocol-relative link', { path: '/x', url: '//elsewhere.example' }],
    ['a link with slash and backslash', { path: '/x', url: '/\\elsewhere.example' }],
    ['an unknown type', { path: '/x', type: 3 }],
    ['an unknown key', { path: '/x', color: 'red' }],
    ['a long title', { path: '/x', title: '长'.repeat(256) }],
  ])('%s', async (_, payload) => {
    const response = await send('POST', payload);
    expect([response.statusCode, response.json().code]).toEqual([400, 'http.invalidInput']);
  });

  test.each([
    ['GET', 'GetBanner', '根据ID查询横幅'],
    ['POST', 'CreateBanner', '创建横幅'],
    ['PUT', 'UpdateBanner', '更新横幅'],
    ['DELETE', 'DeleteBanner', '删除横幅'],
  ] as const)('%s without its permission', async (method, permission, title) => {
    const call = async (headers: Headers) => app.inject({ method, url: '/api/v1/banner?id=999', headers });
    const visitor = await call(as.visitor);
    expect(visitor.statusCode).toBe(401);
    const withoutPermission = await call(await as.userWith(['BannerAPI/ListBanner']));
    expect([withoutPermission.statusCode, withoutPermission.json().message]).toEqual([
      403,
      `您没有权限访问【${title}】`,
    ]);
    const withPermission = await call(await as.userWith([`BannerAPI/${permission}`]));
    expect(withPermission.statusCode).not.toBe(403);
  });
});
