import { afterAll, expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { eventually } from './page-helpers.ts';
import { createPageFetcher } from './support/page-fetcher.ts';
import { startTestSite } from './support/site.ts';
import { createReadableDocumentFactory, newAuthor } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAsAdministrator, address, errors } = site;
const adminApi = createAdminApi(site);
const fetchPage = createPageFetcher(address);
const canonicalUrlIn = (html: string) => html.match(/<link rel="canonical" href="([^"]*)"/)?.[1];

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('every indexable page has a canonical URL without unrelated query parameters', async () => {
  const visitor = await visit('/article?page=1&from=mail');
  const readCanonicalUrl = () => visitor.locator('link[rel="canonical"]').getAttribute('href');
  expect(await readCanonicalUrl()).toBe(`${address}/article`);
  await visitor.getByRole('link', { name: '关于我们' }).first().click();
  await visitor.waitForURL('**/article/about');
  await eventually(readCanonicalUrl).toBe(`${address}/article/about`);

  await adminApi.setSettings({ 'system.domain': 'https://books.example/' });
  const { article } = await adminApi.send('GET', '/article/list?size=100');
  const { id } = article.find(({ identifier }: { identifier: string }) => identifier === 'about');
  for (const [path, canonicalPath] of [
    ['/', '/'],
    ['/category', '/category'],
    ['/category/1?x=1', '/category/1'],
    ['/article', '/article'],
    [`/article/${id}`, '/article/about'],
    ['/user/1', '/user/1'],
    ['/login?redirect=%2F', '/login'],
    ['/register', '/register'],
    ['/findpassword', '/findpassword'],
    ['/upload', '/upload'],
  ] as const)
    expect([path, canonicalUrlIn((await fetchPage(path)).html)]).toEqual([
      path,
      `https://books.example${canonicalPath}`,
    ]);
  for (const path of ['/search?wd=x', '/user/1/favorite', '/nothing'])
    expect([path, canonicalUrlIn((await fetchPage(path)).html)]).toEqual([path, undefined]);
  await adminApi.setSettings({ 'system.domain': '' });
});

test('the addresses of a merged document and of its text version lead to the other document', async () => {
  const publish = createReadableDocumentFactory(site, await newAuthor(site));
  const [mergedId, targetId] = [await publish('合并的文档'), await publish('留下的文档')];
  const { uuid } = await adminApi.send('GET', `/document?id=${mergedId}`);
  await adminApi.send('POST', '/document/merge', { id: mergedId, into: targetId });
  for (const key of [mergedId, uuid]) {
    expect(await fetchPage(`/document/${key}`)).toMatchObject({ status: 302, location: `/document/${targetId}` });
    expect(await fetchPage(`/document/${key}/text`)).toMatchObject({
      status: 302,
      location: `/document/${targetId}/text`,
    });
  }
});

test('a redirect never leads to another site, and /redirect/admin leads administrators to the dashboard', async () => {
  expect(await fetchPage('/redirect/7')).toMatchObject({ status: 302, location: '/user/7' });
  for (const path of ['/redirect/%2F%2Fevil.example', '/redirect/https:%2F%2Fevil.example']) {
    expect((await fetchPage(path)).status).toBe(404);
  }
  const visitor = await visit('/redirect/admin');
  await visitor.waitForURL(`${address}/`);
  const administratorPage = await visitAsAdministrator('/redirect/admin');
  await administratorPage.waitForURL('**/admin/dashboard');
  await administratorPage.getByRole('navigation', { name: '后台菜单' }).waitFor();
  await administratorPage.goto('/');
  await administratorPage.getByRole('banner').getByRole('link', { name: '豆库' }).click();
  await administratorPage.waitForURL('**/admin/dashboard');
});
