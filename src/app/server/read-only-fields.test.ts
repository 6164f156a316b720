import { expect, test } from 'vitest';
import { addPricedDocument } from '#modules/download/download-document.fixture.ts';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx, as } = await testApp();
const root = await as.root();
await setSetting(ctx, 'security.enable_captcha_comment', 'false');

const sendRequest = (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object, headers = root) =>
  app.inject({ method, url: `/api/v1${path}`, headers, payload });

const member = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
const { id: document_id, author } = await addPricedDocument(ctx, 0, { description: '原来的摘要' });
const create = async (path: string, payload: object, headers = root) => {
  const response = await sendRequest('POST', path, payload, headers);
  expect(response.statusCode, response.body).toBe(200);
};
await create('/comment', { document_id, content: '一条评论' }, member.headers);
await create('/report', { document_id, reason: 1 }, member.headers);
await create('/friendlink', { title: '友站', link: 'https://example.com' });
await create('/article', { title: '单页', identifier: 'one-page', content: '<p>正文</p>' });
await create('/synonym', { words: ['电脑', '计算机'] });
await create('/favorite/folder', { title: '文辑' });
await create('/group', { title: '另一角色' });
await ctx.db.execute("insert into banners (title, path) values ('横幅', '/uploads/none.png')");

const entities = [
  { list: `/document/list?id=${document_id}`, put: '/document' },
  { list: `/user/list?id=${member.id}`, put: '/user/profile' },
  { list: `/user/list?id=${member.id}`, put: '/user' },
  { list: '/category/list?size=1', put: '/category' },
  { list: '/friendlink/list?size=1', put: '/friendlink' },
  { list: '/article/list?size=1', put: '/article' },
  { list: '/group/list?size=1&order=id%20desc', put: '/group' },
  { list: '/permission/list?size=1', put: '/permission' },
  { list: '/comment/list?size=1', put: '/comment' },
  { list: '/report/list?size=1', put: '/report' },
  { list: '/attachment/list?size=1', put: '/attachment' },
  { list: '/synonym/list?size=1', put: '/synonym' },
  { list: '/favorite/folder/list', put: '/favorite/folder' },
  { list: '/banner/list?size=1', put: '/banner' },
];
const isWrittenBySite = (key: string) => /^(updated_at|handled_at|handler|action|cover)$/.test(key);
const rowOf = async (list: string) => {
  const response = (await sendRequest('GET', list)).json();
  return Object.values(response).find(Array.isArray)?.[0];
};

test.each(entities)('PUT $put accepts a row of $list and changes nothing', async ({ list, put }) => {
  const row = await rowOf(list);
  expect(row, list).toBeDefined();
  const response = await sendRequest('PUT', put, row);
  // The picture of the banner was never uploaded, which is rejected after the fields were accepted.
  if (put === '/banner') expect(response.json().code).toBe('banner.foreignPicture');
  else expect(response.statusCode, response.body).toBe(200);
  const withoutWrittenFields = (each: object) =>
    Object.fromEntries(Object.entries(each).filter(([key]) => !isWrittenBySite(key)));
  expect(withoutWrittenFields(await rowOf(list))).toEqual(withoutWrittenFields(row));
});

test.each(entities)('PUT $put rejects an unknown key with 400', async ({ list, put }) => {
  const response = await sendRequest('PUT', put, { ...(await rowOf(list)), no_such_key: 1 });
  expect(response.statusCode, response.body).toBe(400);
  expect(response.json().message).toContain('no_such_key');
});

test('PUT /user/profile accepts the account as GET /user returns it to the caller', async () => {
  const account = (await sendRequest('GET', '/user', undefined, member.headers)).json();
  const response = await sendRequest('PUT', '/user/profile', account, member.headers);
  expect(response.statusCode, response.body).toBe(200);
});

test('PUT /document accepts the document as GET /document returns it to its owner', async () => {
  const url = `/document?id=${document_id}&with_author=1`;
  const document = (await sendRequest('GET', url, undefined, author.headers)).json();
  const response = await sendRequest('PUT', '/document', document, author.headers);
  expect(response.statusCode, response.body).toBe(200);
});

test('PUT /config accepts a listed row', async () => {
  const { config } = (await sendRequest('GET', '/config/list?category=footer')).json();
  const response = await sendRequest('PUT', '/config', { config });
  expect(response.statusCode, response.body).toBe(200);
});
