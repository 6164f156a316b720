import { expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { readStoredState, submitLoginForm } from './page-helpers.ts';
import { createPageFetcher } from './support/page-fetcher.ts';
import { startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit, address, errors } = site;
const adminApi = createAdminApi(site);

const fetchPage = createPageFetcher(address);

test('without JavaScript the home page has content, title, keywords and description', async () => {
  const home = await fetchPage('/');
  expect(home.status).toBe(200);
  expect(home.title).toBe('豆库 · 让知识流动起来');
  expect(home.keywords).toBe('豆库,文库,文档分享,在线阅读,资料下载');
  expect(home.description).toContain('在线文库');
  for (const text of ['教育考试', '公务员考试', '最新推荐', '欢迎您，游客', '搜索文档...']) {
    expect(home.html).toContain(text);
  }
});

test('without JavaScript a category shows its parent category and its children', async () => {
  const root = await fetchPage('/category/1');
  expect(root).toMatchObject({ status: 200, title: '教育考试 - 豆库' });
  expect(root.html).toContain('公务员考试');
  expect(root.keywords).toContain('教育考试');
  const child = await fetchPage('/category/2');
  expect(child.title).toBe('教育考试 · 中小学 - 豆库');
  const allDocuments = await fetchPage('/category');
  expect(allDocuments.title).toBe('全部文档 - 豆库');
});

test('without JavaScript an article shows its text by identifier and by number', async () => {
  const about = await fetchPage('/article/about');
  expect(about).toMatchObject({ status: 200, title: '关于我们 - 豆库' });
  expect(about.html).toContain('最后更新');
  expect(about.html).toContain('次浏览');
  expect(about.description).not.toBe('');
  const { article } = await adminApi.send('GET', '/article/list?size=100');
  const { id } = article.find(({ identifier }: { identifier: string }) => identifier === 'about');
  expect((await fetchPage(`/article/${id}`)).title).toBe('关于我们 - 豆库');
  const list = await fetchPage('/article');
  for (const title of ['关于我们', '联系我们', '免责声明', '使用帮助']) {
    expect(list.html).toContain(title);
  }
});

test.each([
  '/no-such-page',
  '/404',
  '/document',
  '/document/12345',
  '/category/99999',
  '/category/x',
  '/article/no-such-article',
  '/article?page=999',
  '/user/abc',
  '/user/999999',
  '/user/1/nothing',
  '/redirect/no-such-page',
  '/admin/no-such-page',
])('%s answers 404 with the error page, also without JavaScript', async (path) => {
  const { status, html, title } = await fetchPage(path);
  expect(status).toBe(404);
  expect(html).toContain('This page could not be found');
  expect(html).toContain('返回首页');
  expect(title).toBe('404 页面未找到 - 豆库');
});

test('the error page in the browser shows the top bar and links to the home page', async () => {
  const visitor = await visit('/no-such-page');
  await visitor.getByRole('heading', { name: 'This page could not be found' }).waitFor();
  await visitor.getByRole('banner').waitFor();
  await visitor.getByRole('link', { name: '返回首页' }).click();
  await visitor.waitForURL(`${address}/`);
});

test('a disabled category answers 404', async () => {
  await adminApi.send('POST', '/category', { title: '临时', enable: false });
  const { category } = await adminApi.send('GET', '/category/list');
  const { id } = category.find(({ title }: { title: string }) => title === '临时');
  expect((await fetchPage(`/category/${id}`)).status).toBe(404);
});

test.each([
  ['/login', '用户登录 - 豆库'],
  ['/upload', '上传文档 - 豆库'],
  ['/register', '用户注册 - 豆库'],
  ['/findpassword', '找回密码 - 豆库'],
  ['/user/1', 'admin的个人主页 - 豆库'],
  ['/user/1/favorite', 'admin的收藏 - 豆库'],
  ['/search', '文档搜索 - 豆库'],
  ['/search?wd=合同', '“合同”的搜索结果 - 豆库'],
])('%s has the title %s', async (path, title) => {
  expect(await fetchPage(path)).toMatchObject({ status: 200, title });
});

test('the default avatar and the blank placeholder are static files', async () => {
  for (const name of ['avatar', 'blank']) {
    const file = await fetch(`${address}/static/images/${name}.svg`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  }
  const visitor = await visit('/user/1');
  const avatar = visitor.getByRole('main').locator('img').first();
  expect(await avatar.getAttribute('src')).toBe('/static/images/avatar.svg');
});

test('a wrong password shows the error of the server, and the right one logs in and opens the redirect page', async () => {
  const visitor = await visit('/login?redirect=%2Farticle%2Fabout');
  await submitLoginForm(visitor, { username: 'admin', password: 'not the password' });
  await visitor.getByRole('alert').getByText('用户名或密码错误').waitFor();
  expect((await readStoredState(visitor, 'douku:user'))?.token ?? '').toBe('');
  // From the start: on a busy machine the message disappears before the page has changed.
  const successMessage = visitor.getByText('登录成功').waitFor();
  await submitLoginForm(visitor);
  await visitor.waitForURL(`${address}/article/about`);
  await successMessage;
  expect(await readStoredState(visitor, 'douku:user')).toMatchObject({ user: { username: 'admin' } });
  expect((await readStoredState(visitor, 'douku:user')).pages).toContain('/admin/config');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
