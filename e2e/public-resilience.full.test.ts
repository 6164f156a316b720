import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { eventually, keeperOf, ready, stored } from './public-site.ts';
import { phone, startSite } from './support/site.ts';

const site = await startSite();
const { visit } = site;
const keeper = keeperOf(site);
afterAll(() => keeper.set({ 'system.sitename': '豆库' }));

/** Every state the loading bar goes through from now on. */
const watchBar = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('[data-loading-bar]');
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => seen.push(bar?.getAttribute('data-loading-bar') ?? '')).observe(bar as Element, {
      attributes: true,
      attributeFilter: ['data-loading-bar'],
    });
  });
const barStates = (page: Page) => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
const toCategory = (page: Page) => page.getByRole('banner').getByRole('link', { name: '学术论文' }).click();

test('the loading bar shows for navigation that takes longer than 200 ms, then fills up and leaves', async () => {
  const page = await visit('about:blank');
  await page.clock.install();
  await page.goto('/');
  await watchBar(page);
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/v1/category/list*', async (route) => {
    asked.resolve();
    await answer.promise;
    await route.continue();
  });
  // The page's time stands still from here on, so that a slow machine cannot hurry the bar.
  await page.clock.pauseAt(Date.now() + 5000);
  await toCategory(page);
  await asked.promise;
  await page.clock.runFor(150);
  expect(await barStates(page)).toEqual([]);
  await page.clock.runFor(100);
  await eventually(() => barStates(page)).toEqual(['running']);
  answer.resolve();
  await page.getByRole('heading', { name: '学术论文', level: 1 }).waitFor();
  await eventually(async () => (await barStates(page)).slice(0, 2)).toEqual(['running', 'done']);
  // On a busy machine a call of the new page may run longer than 200 ms and start the bar again.
  const lastState = async () => {
    await page.clock.runFor(1000);
    return (await barStates(page)).at(-1);
  };
  await eventually(lastState).toBe('idle');
});

test('the loading bar shows a failure, and the error page says what is wrong', async () => {
  const page = await visit('/');
  await watchBar(page);
  await page.route('**/api/v1/category/list*', (route) =>
    route.fulfill({ status: 503, json: { code: 'http.unavailable', message: '服务暂时不可用' } }),
  );
  await toCategory(page);
  await page.getByText('503').waitFor();
  await page.getByRole('heading', { name: '服务暂时不可用' }).waitFor();
  expect(await barStates(page)).toContain('failed');
  await page.getByRole('link', { name: '返回首页' }).click();
  await page.getByRole('heading', { name: '最新推荐' }).waitFor();
});

test('a page that could not be had is there when the network is back, or on demand', async () => {
  const page = await visit('/');
  const heading = page.getByRole('heading', { name: '学术论文', level: 1 });
  const failing = (fail: boolean) =>
    fail ? page.route('**/api/v1/category/list*', (route) => route.abort()) : page.unroute('**/api/v1/category/list*');
  await failing(true);
  await toCategory(page);
  await page.getByText('网络连接失败，请检查网络后重试').waitFor();
  await failing(false);
  await page.getByRole('button', { name: '重试' }).click();
  await heading.waitFor();
  await page.goto('/');
  await failing(true);
  await toCategory(page);
  await page.getByRole('button', { name: '重试' }).waitFor();
  await failing(false);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await heading.waitFor();
});

test('losing the connection is told, and its return too', async () => {
  const page = await visit('/');
  const notice = page.getByText('网络已断开，恢复后会自动继续');
  expect(await notice.count()).toBe(0);
  await page.context().setOffline(true);
  await notice.waitFor();
  await page.context().setOffline(false);
  await notice.waitFor({ state: 'detached' });
});

test('a missing part of a page loads the clicked link once, then shows the error page instead of a loop', async () => {
  const page = await visit('/');
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  // The new release has the file that the old page could not load.
  let isMissing = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isMissing = false;
  });
  await page.route(/\/assets\/category-[\w-]{8}\.js/, (route) => (isMissing ? route.abort() : route.continue()));
  await toCategory(page);
  await page.waitForURL('**/category/*');
  await page.getByRole('heading', { name: '学术论文', level: 1 }).waitFor();
  await eventually(() => loads).toBe(1);
  await ready(page);
  await page.route(/\/assets\/home-[\w-]{8}\.js/, (route) => route.abort());
  await page.getByRole('banner').getByRole('link', { name: '首页' }).click();
  await page.getByRole('heading', { name: '页面出错了，请刷新后重试' }).waitFor();
  expect(loads).toBe(1);
});

test('a missing drawer reloads the site once, and not again within the minute', async () => {
  const page = await visit('/', phone);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.route(/\/assets\/mobile-drawer-[\w-]{8}\.js/, (route) => route.abort());
  await page.getByRole('button', { name: '菜单' }).click();
  await eventually(() => loads).toBe(1);
  await ready(page);
  await page.getByRole('button', { name: '菜单' }).click();
  await page.getByRole('heading', { name: '页面出错了，请刷新后重试' }).waitFor();
  expect(loads).toBe(1);
});

test('categories and settings are asked for again every 60 seconds, without a reload', async () => {
  const page = await visit('about:blank');
  await page.clock.install();
  await page.goto('/');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(pathname);
  });
  await keeper.set({ 'system.sitename': '云上书房' });
  // Time goes on by itself as well, and a busy machine takes its own.
  await page.clock.runFor(45_000);
  expect(asked).toEqual([]);
  await page.clock.runFor(15_000);
  await page.getByRole('banner').getByText('云上书房').waitFor();
  expect(asked.sort()).toEqual(['/api/v1/category/list', '/api/v1/settings']);
  await keeper.set({ 'system.sitename': '豆库' });
});

test('categories and settings are fetched again exactly 60000 ms after the last answer', async () => {
  const page = await visit('about:blank');
  await page.clock.install();
  await page.goto('/');
  await ready(page);
  await page.clock.pauseAt(Date.now() + 5000);
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  const refreshPaths = ['/api/v1/category/list', '/api/v1/settings'];
  await keeper.set({ 'system.sitename': '云上书房' });
  await keeper.send('POST', '/category', { title: '新开的分类' });
  await page.clock.runFor(60_000);
  // An answer is shown after a timer of no length: a millisecond at a time until both are here.
  let elapsedMs = 0;
  const isRefreshed = async () => {
    await page.clock.runFor(1);
    elapsedMs += 1;
    const { settings } = await stored(page, 'douku:setting');
    const { list } = await stored(page, 'douku:category');
    const titles = list.map(({ title }: { title: string }) => title);
    return settings.system.sitename === '云上书房' && titles.includes('新开的分类');
  };
  await eventually(isRefreshed).toBe(true);
  expect(requestedPaths.splice(0).sort()).toEqual(refreshPaths);
  await page.clock.runFor(59_999 - elapsedMs);
  expect(requestedPaths).toEqual([]);
  await page.clock.runFor(elapsedMs + 1);
  await eventually(() => requestedPaths.toSorted()).toEqual(refreshPaths);
  await keeper.set({ 'system.sitename': '豆库' });
});

test('what the home page loads stays within 200 KB, and antd is not among it', async () => {
  const page = await visit('about:blank');
  const loaded: string[] = [];
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) loaded.push(response.url());
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  const { gzipSync } = await import('node:zlib');
  let total = 0;
  for (const url of loaded) {
    const text = await (await fetch(url)).text();
    expect(text).not.toContain('ant-btn');
    total += gzipSync(text, { level: 9 }).length;
  }
  expect(loaded.length).toBeGreaterThan(5);
  expect(total).toBeLessThan(200_000);
});
