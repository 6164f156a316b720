import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { eventually, waitForHydration } from './page-helpers.ts';
import { makeBookPdf } from './sample-books.ts';
import { startTestSite } from './support/site.ts';
import { newAccount, TEST_PASSWORD } from './test-accounts.ts';

const site = await startTestSite();
const { visit, visitAs, ctx } = site;
const publisher = await newPublisher(ctx);
const bookId = await publisher.publish(makeBookPdf(12), '.pdf', { title: '加载进度' });
await ctx.db.execute('update documents set comment_count = 1');

/** Records every state of the loading bar, from the next navigation on. */
const recordLoadingBar = (page: Page) =>
  page.addInitScript(() => {
    const states: string[] = [];
    Object.assign(window, { states });
    new MutationObserver(() => {
      const state = document.querySelector('[data-loading-bar]')?.getAttribute('data-loading-bar');
      if (state && state !== states.at(-1)) states.push(state);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
const readBarStates = (page: Page) => page.evaluate(() => (window as unknown as { states: string[] }).states);

/** API calls that pages make after the server has rendered them. */
const apiCalls = [
  ['the list of a category', '/category/1?sort=download_count', '/document/list'],
  ['a search', '/search?wd=加载', '/document/search'],
  ['the page layout of a document', `/document/${bookId}`, '/document/layout'],
  ['the view count of a document', `/document/${bookId}`, '/document/view'],
  ['related documents', `/document/${bookId}`, '/document/related'],
  ['the reading position', `/document/${bookId}`, '/document/position'],
  ['the unread messages', '/article', '/notification/unread'],
] as const;

test.each(apiCalls)('the loading bar shows that the call for %s failed', async (_, path, call) => {
  const account = await newAccount(site, `loading${crypto.randomUUID().slice(0, 8)}`);
  const page = await visitAs(await account.logIn(), 'about:blank');
  await recordLoadingBar(page);
  await page.route(new RegExp(`/api/v1${call}(\\?|$)`), (route) =>
    route.fulfill({ status: 500, json: { code: 'http.internal', message: '服务器出错了' } }),
  );
  await page.goto(path);
  await eventually(() => readBarStates(page)).toContain('failed');
});

test('the loading bar runs while the search box fetches suggestions', async () => {
  const page = await visit('/article');
  await recordLoadingBar(page);
  await page.reload();
  await waitForHydration(page);
  const requestStarted = Promise.withResolvers<void>();
  const responseReleased = Promise.withResolvers<void>();
  await page.route(/\/api\/v1\/search\/suggest/, async (route) => {
    requestStarted.resolve();
    await responseReleased.promise;
    await route.continue();
  });
  const box = page.getByRole('banner').getByPlaceholder('搜索文档...');
  await box.click();
  await box.pressSequentially('加载');
  await requestStarted.promise;
  await eventually(() => readBarStates(page)).toContain('running');
  responseReleased.resolve();
  await eventually(async () => (await readBarStates(page)).at(-1)).toBe('idle');
});

test('a visible fetching state stays for at least 200 ms', async () => {
  const account = await newAccount(site, 'fetching-state');
  const page = await visitAs(await account.logIn(), 'about:blank');
  await page.addInitScript(() => {
    const visiblePeriod: { from: number; to: number } = { from: 0, to: 0 };
    Object.assign(window, { visiblePeriod });
    new MutationObserver(() => {
      const isVisible = document.querySelector('main [role="status"][aria-label="正在加载"]') !== null;
      if (isVisible && visiblePeriod.from === 0) visiblePeriod.from = performance.now();
      if (!isVisible && visiblePeriod.from > 0 && visiblePeriod.to === 0) visiblePeriod.to = performance.now();
    }).observe(document, { subtree: true, childList: true });
  });
  // The call is answered immediately; without a minimum duration the state would disappear within milliseconds.
  await page.route(/\/api\/v1\/user\/credit(\?|$)/, (route) =>
    route.fulfill({ status: 200, json: { total: 0, credit: [] } }),
  );
  await page.goto(`/user/${account.id}/credit`);
  const readVisibleMs = () =>
    page.evaluate(() => {
      const { from, to } = (window as unknown as { visiblePeriod: { from: number; to: number } }).visiblePeriod;
      return to - from;
    });
  await eventually(readVisibleMs).toBeGreaterThan(0);
  expect(await readVisibleMs()).toBeGreaterThanOrEqual(195);
});

test('the login form sends what was typed before its scripts had loaded', async () => {
  const account = await newAccount(site, `early${crypto.randomUUID().slice(0, 8)}`);
  const page = await visit('about:blank');
  const { promise: typingEnd, resolve: releaseScripts } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await typingEnd;
    await route.continue();
  });
  const navigation = page.goto('/login');
  await page.getByLabel('用户名').fill(account.username);
  await page.getByLabel('密码', { exact: true }).fill(TEST_PASSWORD);
  releaseScripts();
  await navigation;
  await page.getByRole('button', { name: '登录' }).click();
  await page.getByText('登录成功').waitFor();
});
