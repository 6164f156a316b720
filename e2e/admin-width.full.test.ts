import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newMember } from '#modules/role/role.fixture.ts';
import { phone, startSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startSite();
const { ctx, pool, visitAsAdministrator, errors } = site;
const author = await newAuthor(site);
const document = await author.addDocument('一份名字很长很长的年度财务报表与审计说明（修订第三版）');
await waitForStatus(site, document, 2);
const reader = await newMember(ctx);
await pool.query(
  `insert into comments (user_id, document_id, content, status, created_at)
   values ($1, $2, $3, 1, now())`,
  [reader.id, document, '这份资料讲得很清楚，第 3 页的例子很好，谢谢分享。'.repeat(4)],
);

const isInView = (locator: Locator) =>
  locator.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left >= 0 && right <= window.innerWidth;
  });
const isInSight = (page: Page, name: string | RegExp) => isInView(page.getByRole('button', { name }).first());

test('at 1280 every column of the comments can be read beside the actions', async () => {
  const page = await visitAsAdministrator('/admin/comment');
  await page.getByRole('row', { name: /年度财务/ }).waitFor();
  const { inner, outer } = await page
    .locator('.ant-table-body')
    .evaluate((area) => ({ inner: area.scrollWidth, outer: area.clientWidth }));
  expect(inner).toBeLessThanOrEqual(outer);
});

test('a list that is wider than the window shows an edge over what lies beyond it', async () => {
  const page = await visitAsAdministrator('/admin/user/list');
  const cell = page.locator('td.ant-table-cell-fix-end-shadow-show').first();
  await cell.waitFor();
  const edge = await cell.evaluate((each) => getComputedStyle(each, '::after').boxShadow);
  expect(edge).toContain('inset');
  // Each in its own name, as everywhere on the site.
  await page.getByRole('columnheader', { name: '豆' }).waitFor();
});

test('on a phone the actions of a row are in sight, in one menu, and a document is edited from there', async () => {
  const page = await visitAsAdministrator('/admin/document/list', phone);
  await page.getByRole('row', { name: /年度财务/ }).waitFor();
  expect(await isInSight(page, /年度财务.*的更多操作/)).toBe(true);
  await page.getByRole('button', { name: /年度财务.*的更多操作/ }).click();
  await page.getByRole('menuitem', { name: '修改分类' }).waitFor();
  await page.getByRole('menuitem', { name: '编辑' }).click();
  await page.getByRole('dialog').getByLabel('名称').fill('年度财务报表');
  await page.getByRole('dialog').getByLabel('价格').fill('6');
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /年度财务报表/ }).waitFor();
  const { rows } = await pool.query('select title, price from documents where id = $1', [document]);
  expect(rows).toEqual([{ title: '年度财务报表', price: 6 }]);
  await page.goto('/admin/comment');
  await page.getByRole('button', { name: /^评论 \d+ 的更多操作$/ }).waitFor();
  expect(await isInSight(page, /^评论 \d+ 的更多操作$/)).toBe(true);
});

test('the chosen item of the menu is in sight in a low window', async () => {
  const page = await visitAsAdministrator('/admin/mail', {
    viewport: { width: 1280, height: 600 },
  });
  const item = page.getByRole('navigation', { name: '后台菜单' }).getByText('发件箱');
  await item.waitFor();
  await expect.poll(() => item.evaluate((each) => each.getBoundingClientRect().bottom)).toBeLessThanOrEqual(600);
});

test('on a phone the settings tab named by the address is scrolled into view when the page opens', async () => {
  const page = await visitAsAdministrator('/admin/config?tab=display', phone);
  const tabs = page.getByRole('navigation', { name: '设置分组' });
  const tab = tabs.getByRole('link', { name: '展示配置' });
  await tab.waitFor();
  await expect.poll(() => isInView(tab)).toBe(true);
  expect(await tabs.evaluate((nav) => nav.scrollLeft)).toBeGreaterThan(0);
});

test('no page threw an error', () => {
  expect(errors).toEqual([]);
});
