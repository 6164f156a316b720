import { describe, expect, test } from 'vitest';
import { makePicture, multipartForm } from '#modules/attachment/picture.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import type { Article } from './article.contract.ts';
import { seedArticles } from './seed-articles.ts';

const { app, ctx, as, pool } = await testApp();
const root = await as.root();
type Headers = { authorization?: string };

const get = (query: string) => app.inject(`/api/v1/article?${query}`);
const list = async (query = '') => (await app.inject(`/api/v1/article/list${query}`)).json();
const send = (method: 'POST' | 'PUT', payload: object, headers: Headers = root) =>
  app.inject({ method, url: '/api/v1/article', headers, payload });
const create = async (identifier: string, extraInput: object = {}): Promise<Article> => {
  const response = await send('POST', { identifier, title: `题 ${identifier}`, ...extraInput });
  expect(response.statusCode).toBe(200);
  return response.json();
};

describe('the default articles', () => {
  test.each([
    ['about', '关于我们'],
    ['contact', '联系我们'],
    ['feedback', '意见反馈'],
    ['copyright', '免责声明'],
    ['agreement', '文库协议'],
    ['help', '使用帮助'],
  ])('contain %s with the title %s and a text', async (identifier, title) => {
    const article: Article = (await get(`identifier=${identifier}`)).json();
    expect(article.title).toBe(title);
    expect(article.content.match(/<h2>/g)?.length).toBeGreaterThanOrEqual(3);
    expect(article.content.replace(/<[^>]*>/g, '').length).toBeGreaterThan(250);
    expect(article.content).not.toMatch(/moredoc|魔豆/i);
    expect(article.description).not.toBe('');
  });

  test('are not created again after an administrator deleted them', async () => {
    const { article } = await list('?size=100');
    const help = article.find((row: Article) => row.identifier === 'help');
    await app.inject({ method: 'DELETE', url: `/api/v1/article?id=${help.id}`, headers: root });
    await seedArticles(ctx);
    expect((await get('identifier=help')).statusCode).toBe(404);
  });
});

describe('reading articles', () => {
  test('by identifier counts every view of concurrent requests, by id none', async () => {
    const { id, updated_at } = await create('counted');
    await Promise.all(Array.from({ length: 20 }, () => get('identifier=COUNTED')));
    const article = (await get(`id=${id}`)).json();
    expect([article.view_count, article.updated_at]).toEqual([20, updated_at]);
    expect((await get(`id=${id}`)).json().view_count).toBe(20);
  });

  test('returns 404 for an unknown id or identifier', async () => {
    for (const query of ['identifier=nothing', 'id=999999']) {
      const response = await get(query);
      expect([response.statusCode, response.json().message]).toEqual([404, '文章不存在']);
    }
  });

  test('requires a valid id or an identifier', async () => {
    expect((await get('')).json().code).toBe('article.noKey');
    expect((await get('identifier=')).json().code).toBe('article.noKey');
    expect((await get('id=x')).statusCode).toBe(400);
    expect((await get('id=99999999999999999999')).statusCode).toBe(400);
  });

  test('lists articles for visitors without their content', async () => {
    const { total, article } = await list('?size=3&order=id%20asc');
    expect([article.length, total]).toEqual([3, 6]);
    expect(article.every((row: object) => !('content' in row))).toBe(true);
    const searchResult = await list('?wd=免责');
    expect(searchResult.article.map((row: Article) => row.identifier)).toEqual(['copyright']);
    expect((await app.inject('/api/v1/article/list?order=content')).statusCode).toBe(400);
  });
});

describe('writing articles', () => {
  test('returns the new article with sanitized content', async () => {
    const article = await create('malicious', {
      author: '豆库',
      content: '<p onclick="alert(1)">好</p><script>alert(1)</script><img src=x onerror=alert(1)>',
      view_count: 99,
      id: 5,
    });
    expect(article).toMatchObject({ identifier: 'malicious', author: '豆库', view_count: 0 });
    expect(article.content).toBe('<p>好</p>');
    await send('PUT', { id: article.id, content: '<a href="javascript:alert(1)">x</a>' });
    expect((await get(`id=${article.id}`)).json().content).toBe('<a>x</a>');
  });

  test('stores markup in a title as plain text', async () => {
    const { id } = await create('markup', { title: '<img src=x onerror=alert(1)>' });
    expect((await get(`id=${id}`)).json().title).toBe('<img src=x onerror=alert(1)>');
  });

  test('rejects an existing identifier regardless of case, also for concurrent requests', async () => {
    const responses = await Promise.all(
      ['Twice', 'twice'].map((identifier) => send('POST', { identifier, title: 'x' })),
    );
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    const rejectedResponse = responses.find(({ statusCode }) => statusCode === 409);
    expect(rejectedResponse?.json().message).toBe('文章标识符已存在');
  });

  test('updates only the sent fields and never the identifier', async () => {
    const { id } = await create('stable', { keywords: '关键字', content: '<p>文</p>' });
    expect((await send('PUT', { id, title: '新题', identifier: 'other', view_count: 9 })).json()).toEqual({});
    expect((await get(`id=${id}`)).json()).toMatchObject({
      identifier: 'stable',
      title: '新题',
      keywords: '关键字',
      content: '<p>文</p>',
      view_count: 0,
    });
    expect((await send('PUT', { id: 999_999, title: 'x' })).statusCode).toBe(404);
  });

  test('marks pictures as used while the content contains them', async () => {
    const { payload, contentType } = multipartForm(await makePicture());
    const uploadResponse = await app.inject({
      method: 'POST',
      url: '/api/v1/upload/article',
      headers: { ...root, 'content-type': contentType },
      payload,
    });
    const { url } = uploadResponse.json().data;
    const usedBy = async () =>
      (await pool.query('select type_id::int as id from attachments where path = $1', [url])).rows;
    const { id, content } = await create('pictured', {
      content: `<p><img src="${url}" alt="图"></p>`,
    });
    expect(content).toContain(url);
    expect(await usedBy()).toEqual([{ id }]);
    await send('PUT', { id, title: '仍有图' });
    expect(await usedBy()).toEqual([{ id }]);
    await send('PUT', { id, content: '<p>无图</p>' });
    expect(await usedBy()).toEqual([{ id: 0 }]);
  });

  test.each<[string, object]>([
    ['no title', { identifier: 'a' }],
    ['no identifier', { title: 'x' }],
    ['a numeric identifier', { identifier: '123', title: 'x' }],
    ['an identifier with a slash', { identifier: 'a/b', title: 'x' }],
    ['a Chinese identifier', { identifier: '关于', title: 'x' }],
    ['a long identifier', { identifier: 'a'.repeat(65), title: 'x' }],
    ['an unknown key', { identifier: 'a', title: 'x', status: 1 }],
    ['a NUL character', { identifier: 'a', title: 'x', content: '\u0000' }],
    ['content that is too long', { identifier: 'a', title: 'x', content: 'x'.repeat(900_001) }],
  ])('rejects %s', async (_, payload) => {
    const response = await send('POST', payload);
    expect([response.statusCode, response.json().code]).toEqual([400, 'http.invalidInput']);
    expect(response.json().message).toMatch(/[\u4e00-\u9fff]/);
  });
});

test('deleted articles return 404', async () => {
  const ids = [(await create('gone-a')).id, (await create('gone-b')).id];
  const url = `/api/v1/article?${ids.map((id) => `id=${id}`).join('&')}`;
  expect((await app.inject({ method: 'DELETE', url, headers: root })).json()).toEqual({});
  for (const id of ids) expect((await get(`id=${id}`)).statusCode).toBe(404);
});

test.each([
  ['POST', 'CreateArticle', '创建单页'],
  ['PUT', 'UpdateArticle', '更新单页'],
  ['DELETE', 'DeleteArticle', '删除单页'],
] as const)('%s /article requires its permission', async (method, permission, title) => {
  const call = async (headers: Headers) => app.inject({ method, url: '/api/v1/article?id=999', headers });
  const visitor = await call(as.visitor);
  expect(visitor.statusCode).toBe(401);
  const withoutPermission = await call(await as.userWith(['ArticleAPI/ListArticle']));
  expect([withoutPermission.statusCode, withoutPermission.json().message]).toEqual([403, `您没有权限访问【${title}】`]);
  const withPermission = await call(await as.userWith([`ArticleAPI/${permission}`]));
  expect(withPermission.statusCode).not.toBe(403);
});

describe('for clients written for moredoc', () => {
  test('an article and its row in the list carry the author as a user', async () => {
    const { id } = await create('with-author', { author: '编辑部' });
    const user = { id: 0, username: '编辑部', avatar: '' };
    expect((await get(`id=${id}`)).json().user).toEqual(user);
    const { article } = await list('?size=100');
    expect(article.find((row: Article) => row.id === id).user).toEqual(user);
  });

  test('an id of 0 together with an identifier counts as missing', async () => {
    await create('beside-zero');
    expect((await get('id=0&identifier=beside-zero')).json().identifier).toBe('beside-zero');
    expect((await get('id=0')).statusCode).toBe(400);
  });
});
