import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { eventually, readStoredState, waitForHydration } from './page-helpers.ts';
import { phone, startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit } = site;
const adminApi = createAdminApi(site);
afterAll(() => adminApi.setSettings({ 'system.sitename': '豆库' }));

const recordLoadingBar = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('[data-loading-bar]');
    const barStates: string[] = [];
    Object.assign(window, { barStates });
    new MutationObserver(() => barStates.push(bar?.getAttribute('data-loading-bar') ?? '')).observe(bar as Element, {
      attributes: true,
      attributeFilter: ['data-loading-bar'],
    });
  });
const readBarStates = (page: Page) => page.evaluate(() => (window as unknown as { barStates: string[] }).barStates);
const openCategory = (page: Page) => page.getByRole('banner').getByRole('link', { name: '学术论文' }).click();

test('the loading bar appears for navigation that takes longer than 200 ms, then fills up and disappears', async () => {
  const page = await visit('about:blank');
  await page.clock.install();
  await page.goto('/');
  await recordLoadingBar(page);
  const requestStarted = Promise.withResolvers<void>();
  const responseReleased = Promise.withResolvers<void>();
  await page.route('**/api/v1/category/list*', async (route) => {
    requestStarted.resolve();
    await responseReleased.promise;
    await route.continue();
  });
  // The clock of the page is paused, so that the bar does not depend on the speed of the machine.
  await page.clock.pauseAt(Date.now() + 5000);
  await openCategory(page);
  await requestStarted.promise;
  await page.clock.runFor(150);
  expect(await readBarStates(page)).toEqual([]);
  await page.clock.runFor(100);
  await eventually(() => readBarStates(page)).toEqual(['running']);
  responseReleased.resolve();
  await page.getByRole('heading', { name: '学术论文', level: 1 }).waitFor();
  await eventually(async () => (await readBarStates(page)).slice(0, 2)).toEqual(['running', 'done']);
  // On a busy machine a call of the new page may take longer than 200 ms and restart the bar.
  const readLastState = async () => {
    await page.clock.runFor(1000);
    return (await readBarStates(page)).at(-1);
  };
  await eventually(readLastState).toBe('idle');
});

test('the loading bar shows a failed navigation, and the error page shows its status and message', async () => {
  const page = await visit('/');
  await recordLoadingBar(page);
  await page.route('**/api/v1/category/list*', (route) =>
    route.fulfill({ status: 503, json: { code: 'http.unavailable', message: '服务暂时不可用' } }),
  );
  await openCategory(page);
  await page.getByText('503').waitFor();
  await page.getByRole('heading', { name: '服务暂时不可用' }).waitFor();
  expect(await readBarStates(page)).toContain('failed');
  await page.getByRole('link', { name: '返回首页' }).click();
  await page.getByRole('heading', { name: '最新推荐' }).waitFor();
});

test('a page that failed to load is loaded on retry and when the network returns', async () => {
  const page = await visit('/');
  const heading = page.getByRole('heading', { name: '学术论文', level: 1 });
  const setCategoryCallsFailing = (isFailing: boolean) =>
    isFailing
      ? page.route('**/api/v1/category/list*', (route) => route.abort())
      : page.unroute('**/api/v1/category/list*');
  await setCategoryCallsFailing(true);
  await openCategory(page);
  await page.getByText('网络连接失败，请检查网络后重试').waitFor();
  await setCategoryCallsFailing(false);
  await page.getByRole('button', { name: '重试' }).click();
  await heading.waitFor();
  await page.goto('/');
  await setCategoryCallsFailing(true);
  await openCategory(page);
  await page.getByRole('button', { name: '重试' }).waitFor();
  await setCategoryCallsFailing(false);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await heading.waitFor();
});

test('a notice shows while the browser is offline and disappears when it is online again', async () => {
  const page = await visit('/');
  const notice = page.getByText('网络已断开，恢复后会自动继续');
  expect(await notice.count()).toBe(0);
  await page.context().setOffline(true);
  await notice.waitFor();
  await page.context().setOffline(false);
  await notice.waitFor({ state: 'detached' });
});

test('a missing script file makes the browser load the clicked link once, then shows the error page instead of a reload loop', async () => {
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
  await openCategory(page);
  await page.waitForURL('**/category/*');
  await page.getByRole('heading', { name: '学术论文', level: 1 }).waitFor();
  await eventually(() => loads).toBe(1);
  await waitForHydration(page);
  await page.route(/\/assets\/home-[\w-]{8}\.js/, (route) => route.abort());
  await page.getByRole('banner').getByRole('link', { name: '首页' }).click();
  await page.getByRole('heading', { name: '页面出错了，请刷新后重试' }).waitFor();
  expect(loads).toBe(1);
});

test('a missing script file of the drawer reloads the page once, and not again within a minute', async () => {
  const page = await visit('/', phone);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.route(/\/assets\/mobile-drawer-[\w-]{8}\.js/, (route) => route.abort());
  await page.getByRole('button', { name: '菜单' }).click();
  await eventually(() => loads).toBe(1);
  await waitForHydration(page);
  await page.getByRole('button', { name: '菜单' }).click();
  await page.getByRole('heading', { name: '页面出错了，请刷新后重试' }).waitFor();
  expect(loads).toBe(1);
});

test('categories and settings are fetched again every 60 seconds without a reload', async () => {
  const page = await visit('about:blank');
  await page.clock.install();
  await page.goto('/');
  const requestedPaths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) requestedPaths.push(pathname);
  });
  await adminApi.setSettings({ 'system.sitename': '云上书房' });
  // Real time also passes, more of it on a busy machine, so that this stays well below 60 seconds.
  await page.clock.runFor(45_000);
  expect(requestedPaths).toEqual([]);
  await page.clock.runFor(15_000);
  await page.getByRole('banner').getByText('云上书房').waitFor();
  expect(requestedPaths.sort()).toEqual(['/api/v1/category/list', '/api/v1/settings']);
  await adminApi.setSettings({ 'system.sitename': '豆库' });
});

test('categories and settings are fetched again exactly 60000 ms after the last response', async () => {
  const page = await visit('about:blank');
  await page.clock.install();
  await page.goto('/');
  await waitForHydration(page);
  await page.clock.pauseAt(Date.now() + 5000);
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  const refreshPaths = ['/api/v1/category/list', '/api/v1/settings'];
  await adminApi.setSettings({ 'system.sitename': '云上书房' });
  await adminApi.send('POST', '/category', { title: '新开的分类' });
  await page.clock.runFor(60_000);
  // React renders a response after a zero-length timer: advances by a millisecond until both have arrived.
  let elapsedMs = 0;
  const isRefreshed = async () => {
    await page.clock.runFor(1);
    elapsedMs += 1;
    const { settings } = await readStoredState(page, 'douku:setting');
    const { list } = await readStoredState(page, 'douku:category');
    const titles = list.map(({ title }: { title: string }) => title);
    return settings.system.sitename === '云上书房' && titles.includes('新开的分类');
  };
  await eventually(isRefreshed).toBe(true);
  expect(requestedPaths.splice(0).sort()).toEqual(refreshPaths);
  await page.clock.runFor(59_999 - elapsedMs);
  expect(requestedPaths).toEqual([]);
  await page.clock.runFor(elapsedMs + 1);
  await eventually(() => requestedPaths.toSorted()).toEqual(refreshPaths);
  await adminApi.setSettings({ 'system.sitename': '豆库' });
});

test('the scripts and styles of the home page stay below 200 KB and contain no antd', async () => {
  const page = await visit('about:blank');
  const assetUrls: string[] = [];
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) assetUrls.push(response.url());
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  const { gzipSync } = await import('node:zlib');
  let totalBytes = 0;
  for (const url of assetUrls) {
    const text = await (await fetch(url)).text();
    expect(text).not.toContain('ant-btn');
    totalBytes += gzipSync(text, { level: 9 }).length;
  }
  expect(assetUrls.length).toBeGreaterThan(5);
  expect(totalBytes).toBeLessThan(200_000);
});
