import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { eventually, ready } from './public-site.ts';
import { makeBook } from './reader-site.ts';
import { startSite } from './support/site.ts';
import { newAccount } from './test-accounts.ts';

const site = await startSite();
const { visit, visitAs, ctx } = site;
const publisher = await newPublisher(ctx);
const book = await publisher.publish(makeBook(12), '.pdf', { title: '加载进度' });
await ctx.db.execute('update documents set comment_count = 1');

/** Records every state of the loading bar from the first page on. */
const recordBar = (page: Page) =>
  page.addInitScript(() => {
    const states: string[] = [];
    Object.assign(window, { states });
    new MutationObserver(() => {
      const state = document.querySelector('[data-loading-bar]')?.getAttribute('data-loading-bar');
      if (state && state !== states.at(-1)) states.push(state);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
const barStates = (page: Page) => page.evaluate(() => (window as unknown as { states: string[] }).states);

/** Calls that pages make after they are shown. */
const calls = [
  ['the list of a category', '/category/1?sort=download_count', '/document/list'],
  ['a search', '/search?wd=加载', '/document/search'],
  ['what may be read of a document', `/document/${book}`, '/document/layout'],
  ['the counted view of a document', `/document/${book}`, '/document/view'],
  ['related documents', `/document/${book}`, '/document/related'],
  ['the reading position', `/document/${book}`, '/document/position'],
  ['the unread messages', '/article', '/notification/unread'],
] as const;

test.each(calls)('the loading bar shows that the call for %s failed', async (_, path, call) => {
  const person = await newAccount(site, `loading${crypto.randomUUID().slice(0, 8)}`);
  const page = await visitAs(await person.logIn(), 'about:blank');
  await recordBar(page);
  await page.route(new RegExp(`/api/v1${call}(\\?|$)`), (route) =>
    route.fulfill({ status: 500, json: { code: 'http.internal', message: '服务器出错了' } }),
  );
  await page.goto(path);
  await eventually(() => barStates(page)).toContain('failed');
});

test('the loading bar runs while the words typed into the search box are completed', async () => {
  const page = await visit('/article');
  await recordBar(page);
  await page.reload();
  await ready(page);
  const isAsked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route(/\/api\/v1\/search\/suggest/, async (route) => {
    isAsked.resolve();
    await answer.promise;
    await route.continue();
  });
  const box = page.getByRole('banner').getByPlaceholder('搜索文档...');
  await box.click();
  await box.pressSequentially('加载');
  await isAsked.promise;
  await eventually(() => barStates(page)).toContain('running');
  answer.resolve();
  await eventually(async () => (await barStates(page)).at(-1)).toBe('idle');
});

test('a fetching state that is shown stays for at least 200 ms', async () => {
  const person = await newAccount(site, 'fetching-state');
  const page = await visitAs(await person.logIn(), 'about:blank');
  await page.addInitScript(() => {
    const visiblePeriod: { from: number; to: number } = { from: 0, to: 0 };
    Object.assign(window, { visiblePeriod });
    new MutationObserver(() => {
      const isShown = document.querySelector('main [role="status"][aria-label="正在加载"]') !== null;
      if (isShown && visiblePeriod.from === 0) visiblePeriod.from = performance.now();
      if (!isShown && visiblePeriod.from > 0 && visiblePeriod.to === 0) visiblePeriod.to = performance.now();
    }).observe(document, { subtree: true, childList: true });
  });
  // Answered immediately: without a minimum the state would be gone in a few milliseconds.
  await page.route(/\/api\/v1\/user\/credit(\?|$)/, (route) =>
    route.fulfill({ status: 200, json: { total: 0, credit: [] } }),
  );
  await page.goto(`/user/${person.id}/credit`);
  const visibleMs = () =>
    page.evaluate(() => {
      const { from, to } = (window as unknown as { visiblePeriod: { from: number; to: number } }).visiblePeriod;
      return to - from;
    });
  await eventually(visibleMs).toBeGreaterThan(0);
  expect(await visibleMs()).toBeGreaterThanOrEqual(195);
});
