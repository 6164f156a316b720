import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newMember } from '#modules/role/role.fixture.ts';
import { phone, startTestSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { ctx, pool, visitAsAdministrator, errors } = site;
const author = await newAuthor(site);
const documentId = await author.addDocument('一份名字很长很长的年度财务报表与审计说明（修订第三版）');
await waitForStatus(site, documentId, 2);
const reader = await newMember(ctx);
await pool.query(
  `insert into comments (user_id, document_id, content, status, created_at)
   values ($1, $2, $3, 1, now())`,
  [reader.id, documentId, '这份资料讲得很清楚，第 3 页的例子很好，谢谢分享。'.repeat(4)],
);

const isInView = (locator: Locator) =>
  locator.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left >= 0 && right <= window.innerWidth;
  });
const isButtonInView = (page: Page, name: string | RegExp) => isInView(page.getByRole('button', { name }).first());

test('at 1280 px the comment list shows every column without horizontal scrolling', async () => {
  const page = await visitAsAdministrator('/admin/comment');
  await page.getByRole('row', { name: /年度财务/ }).waitFor();
  const { contentWidth, visibleWidth } = await page
    .locator('.ant-table-body')
    .evaluate((area) => ({ contentWidth: area.scrollWidth, visibleWidth: area.clientWidth }));
  expect(contentWidth).toBeLessThanOrEqual(visibleWidth);
});

test('an admin list that is wider than the window shows a shadow beside the fixed action column', async () => {
  const page = await visitAsAdministrator('/admin/user/list');
  const cell = page.locator('td.ant-table-cell-fix-end-shadow-show').first();
  await cell.waitFor();
  const shadow = await cell.evaluate((element) => getComputedStyle(element, '::after').boxShadow);
  expect(shadow).toContain('inset');
  // The back-office names this column as the public site does.
  await page.getByRole('columnheader', { name: '豆' }).waitFor();
});

test('on a phone each row has a visible action menu, from which an administrator edits a document', async () => {
  const page = await visitAsAdministrator('/admin/document/list', phone);
  await page.getByRole('row', { name: /年度财务/ }).waitFor();
  expect(await isButtonInView(page, /年度财务.*的更多操作/)).toBe(true);
  await page.getByRole('button', { name: /年度财务.*的更多操作/ }).click();
  await page.getByRole('menuitem', { name: '修改分类' }).waitFor();
  await page.getByRole('menuitem', { name: '编辑' }).click();
  await page.getByRole('dialog').getByLabel('名称').fill('年度财务报表');
  await page.getByRole('dialog').getByLabel('价格').fill('6');
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /年度财务报表/ }).waitFor();
  const { rows } = await pool.query('select title, price from documents where id = $1', [documentId]);
  expect(rows).toEqual([{ title: '年度财务报表', price: 6 }]);
  await page.goto('/admin/comment');
  await page.getByRole('button', { name: /^评论 \d+ 的更多操作$/ }).waitFor();
  expect(await isButtonInView(page, /^评论 \d+ 的更多操作$/)).toBe(true);
});

test('the side menu scrolls its selected item into view in a low window', async () => {
  const page = await visitAsAdministrator('/admin/mail', {
    viewport: { width: 1280, height: 600 },
  });
  const item = page.getByRole('navigation', { name: '后台菜单' }).getByText('发件箱');
  await item.waitFor();
  await expect.poll(() => item.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThanOrEqual(600);
});

test('on a phone the settings page scrolls the tab named by the URL into view', async () => {
  const page = await visitAsAdministrator('/admin/config?tab=display', phone);
  const tabs = page.getByRole('navigation', { name: '设置分组' });
  const tab = tabs.getByRole('link', { name: '展示配置' });
  await tab.waitFor();
  await expect.poll(() => isInView(tab)).toBe(true);
  expect(await tabs.evaluate((nav) => nav.scrollLeft)).toBeGreaterThan(0);
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
