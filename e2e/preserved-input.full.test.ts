import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addDocument } from '#modules/document/document.fixture.ts';
import { newReaderWithCredit } from '#modules/download/download-document.fixture.ts';
import { newMember, roleIdOf, TEST_PASSWORD } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { submitLoginForm, waitForHydration, waitForTwoFrames } from './page-helpers.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { visitAs, visitAsAdministrator, ctx, pool } = site;
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.enable_captcha_login', 'false');

/** Returning to the window refetches stale queries; waits until the page has rendered `count` responses from the URL. */
async function returnToWindow(page: Page, url: RegExp, count = 2) {
  let responseCount = 0;
  page.on('requestfinished', (request) => {
    if (url.test(request.url())) responseCount += 1;
  });
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  // The client retries a failed call once, so that two responses mean one failure.
  await expect.poll(() => responseCount).toBeGreaterThanOrEqual(count);
  // The page handles the response of a later request after those.
  await page.evaluate(async () => (await fetch('/healthz')).text());
  await waitForTwoFrames(page);
}
/** Opens a page whose time the test can advance. */
async function visitWithClock(path: string): Promise<Page> {
  const page = await visitAsAdministrator('about:blank');
  await page.clock.install();
  await page.goto(path);
  return page;
}
const failCalls = (page: Page, path: RegExp) => page.route(path, (route) => route.fulfill({ status: 503, json: {} }));

test('chosen files stay in the upload list when the check of the upload permission fails', async () => {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, '/upload');
  const input = page.locator('input[type=file]').first();
  await input.waitFor({ state: 'attached' });
  await input.setInputFiles({ name: '留着.txt', mimeType: '', buffer: Buffer.from('文字') });
  await page.getByLabel('留着.txt 的标题').fill('改好的标题');
  await failCalls(page, /caniuploaddocument/);
  await returnToWindow(page, /caniuploaddocument/);
  expect(await page.getByLabel('留着.txt 的标题').inputValue()).toBe('改好的标题');
});

test('the upload page offers a retry when the check of the upload permission fails', async () => {
  const author = await newAuthor(site);
  const page = await visitAs(author.headers, 'about:blank');
  await failCalls(page, /caniuploaddocument/);
  await page.goto('/upload');
  const retry = page.getByRole('button', { name: '重试' });
  await retry.waitFor();
  expect(await page.getByText('联系管理员').count()).toBe(0);
  await page.unroute(/caniuploaddocument/);
  await retry.click();
  await page.locator('input[type=file]').first().waitFor({ state: 'attached' });
});

test('leaving the settings page with unsaved changes asks for confirmation', async () => {
  const page = await visitAsAdministrator('/admin/config');
  const field = page.getByLabel('网站名称');
  await field.fill('写了一半的名');
  const openAuditLog = () => page.getByRole('navigation', { name: '后台菜单' }).getByText('操作记录').click();
  await openAuditLog();
  const confirmation = page.getByRole('dialog').filter({ hasText: '放弃修改吗？' });
  await confirmation.getByRole('button', { name: '继续填写' }).click();
  await confirmation.waitFor({ state: 'hidden' });
  expect(await field.inputValue()).toBe('写了一半的名');
  await openAuditLog();
  await confirmation.getByRole('button', { name: /放\s*弃/ }).click();
  await page.waitForURL('**/admin/audit');
});

test('unsaved settings stay in the form when refetching the settings fails', async () => {
  const page = await visitWithClock('/admin/config');
  const field = page.getByLabel('网站名称');
  await field.fill('写了一半的名');
  await failCalls(page, /\/config\/list/);
  // The settings are fresh for ten seconds; only stale ones are refetched.
  await page.clock.fastForward(10_500);
  await returnToWindow(page, /\/config\/list/);
  expect(await field.inputValue()).toBe('写了一半的名');
});

test('the form for a new user keeps its input when the roles are refetched', async () => {
  const page = await visitWithClock('/admin/user/list');
  await page.getByRole('button', { name: '新增用户' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('用户名').fill('还没写完');
  const reader = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
  expect(reader.id).toBeGreaterThan(0);
  await page.clock.fastForward(10_500);
  await returnToWindow(page, /\/group\/list/, 1);
  expect(await form.getByLabel('用户名').inputValue()).toBe('还没写完');
});

test('an unsent comment stays in its form after the session expires and the reader logs in again', async () => {
  const author = await newAuthor(site);
  const id = await author.addDocument('有人评论');
  await waitForStatus(site, id, 2);
  const reader = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
  const page = await visitAs(reader.headers, `/document/${id}`);
  await waitForHydration(page);
  // Comments load when they come near the viewport.
  await page.locator('#comments').scrollIntoViewIfNeeded();
  const commentBox = page.getByLabel('请输入评论内容');
  await commentBox.fill('想了很久才写下的话');
  await page.route(/\/api\/v1\//, (route) =>
    route.request().headers().authorization
      ? route.fulfill({ status: 401, json: { code: 'http.loginRequired', message: '' } })
      : route.continue(),
  );
  await page.getByRole('button', { name: '发表评论' }).click();
  await page.getByText('登录已失效，请重新登录').first().waitFor();
  await page.unroute(/\/api\/v1\//);
  await page.getByRole('link', { name: '登录', exact: true }).first().click();
  await submitLoginForm(page, { username: reader.username, password: TEST_PASSWORD });
  await page.waitForURL(`**/document/${id}`);
  await page.locator('#comments').scrollIntoViewIfNeeded();
  await expect.poll(() => commentBox.inputValue()).toBe('想了很久才写下的话');
});

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])('at %s deleting the only document on the last page of my documents opens the page before', async (_, device) => {
  const author = await newAuthor(site);
  const { category_id } = author;
  for (let number = 0; number < 16; number += 1)
    await addDocument(ctx, author, {
      title: `第 ${number} 份`,
      category_id,
      ext: '.txt',
      bytes: Buffer.from(`${number} ${crypto.randomUUID()}`),
    });
  const page = await visitAs(author.headers, `/user/${author.id}/document?page=2`, device);
  await page.getByRole('button', { name: /^删除《/ }).click();
  await page.getByRole('button', { name: '确定删除' }).click();
  await waitForText(page, '删除成功');
  await page.waitForURL('**?page=1');
  await page.getByRole('link', { name: '第 15 份' }).waitFor();
});

test('the download dialog offers to pay immediately after a daily check-in earns the missing credit', async () => {
  await setSetting(ctx, 'score.sign_in', '5');
  const author = await newAuthor(site);
  const { category_id } = author;
  const bytes = Buffer.from(`付费 ${crypto.randomUUID()}`);
  const { id } = await addDocument(ctx, author, {
    title: '差一点',
    price: 3,
    category_id,
    bytes,
    ext: '.txt',
  });
  await waitForStatus(site, id, 2);
  const reader = await newReaderWithCredit(ctx, 1);
  const page = await visitAs(reader.headers, `/document/${id}`);
  await page.getByRole('button', { name: /^下载/ }).locator('visible=true').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('还差').waitFor();
  await dialog.getByRole('button', { name: '每日签到' }).click();
  await dialog.getByRole('button', { name: /^支付 3/ }).waitFor();
  const { rows } = await pool.query('select count(*)::int from purchases where user_id = $1', [reader.id]);
  expect(rows).toEqual([{ count: 0 }]);
});
