import { afterAll, expect, test } from 'vitest';
import { eventually, keeperOf } from './public-site.ts';
import { createPageFetcher } from './support/page-fetcher.ts';
import { startSite } from './support/site.ts';

const site = await startSite();
const { visit, visitAsAdministrator, address, errors } = site;
const keeper = keeperOf(site);
const page = createPageFetcher(address);
const canonical = (html: string) => html.match(/<link rel="canonical" href="([^"]*)"/)?.[1];

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('every page that may be found names its own address, without what only follows it', async () => {
  const visitor = await visit('/article?page=1&from=mail');
  const told = () => visitor.locator('link[rel="canonical"]').getAttribute('href');
  expect(await told()).toBe(`${address}/article`);
  await visitor.getByRole('link', { name: '关于我们' }).first().click();
  await visitor.waitForURL('**/article/about');
  await eventually(told).toBe(`${address}/article/about`);

  await keeper.set({ 'system.domain': 'https://books.example/' });
  const { article } = await keeper.send('GET', '/article/list?size=100');
  const { id } = article.find((each: { identifier: string }) => each.identifier === 'about');
  for (const [path, known] of [
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
    expect([path, canonical((await page(path)).html)]).toEqual([path, `https://books.example${known}`]);
  for (const path of ['/search?wd=x', '/user/1/favorite', '/nothing'])
    expect([path, canonical((await page(path)).html)]).toEqual([path, undefined]);
  await keeper.set({ 'system.domain': '' });
});

test('a redirect never leaves the site', async () => {
  expect(await page('/redirect/7')).toMatchObject({ status: 302, location: '/user/7' });
  for (const path of ['/redirect/%2F%2Fevil.example', '/redirect/https:%2F%2Fevil.example']) {
    expect((await page(path)).status).toBe(404);
  }
  const visitor = await visit('/redirect/admin');
  await visitor.waitForURL(`${address}/`);
  const keeperPage = await visitAsAdministrator('/redirect/admin');
  await keeperPage.waitForURL('**/admin/dashboard');
  await keeperPage.getByRole('navigation', { name: '后台菜单' }).waitFor();
  await keeperPage.goto('/');
  await keeperPage.getByRole('banner').getByRole('link', { name: '豆库' }).click();
  await keeperPage.waitForURL('**/admin/dashboard');
});
