import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { getSettings } from '#modules/settings/settings.ts';
import { administrator, phone, startSite } from './support/site.ts';
import { failRequests } from './test-accounts.ts';

const { visitAsAdministrator, ctx, errors } = await startSite();

const told = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
const save = async (page: Page) => {
  await page.getByRole('button', { name: /提\s*交/ }).click();
  await told(page, '配置更新成功');
};

test('settings that two administrators change at once are both kept', async () => {
  const one = await visitAsAdministrator('/admin/config');
  const other = await visitAsAdministrator('/admin/config');
  await one.getByLabel('首页标题').waitFor();
  await other.getByLabel('网站关键字').fill('文库,豆库');
  await one.getByLabel('首页标题').fill('一座新的文库');
  await save(one);
  await save(other);
  const { system } = await getSettings(ctx);
  expect([system.title, system.keywords]).toEqual(['一座新的文库', '文库,豆库']);
  // Nothing more was changed: there is nothing to save.
  await other.locator('.ant-btn-loading').waitFor({ state: 'detached' });
  await other.getByRole('button', { name: /提\s*交/ }).click();
  await told(other, '没有要保存的修改');
});

test('the dialog that asks for the password of a changed analytics script is confirmed with Enter', async () => {
  const page = await visitAsAdministrator('/admin/config');
  await page.getByLabel('网站统计代码').fill('<script>window.counted = true;</script>');
  await page.getByRole('button', { name: /提\s*交/ }).click();
  const field = page.getByRole('dialog').getByLabel('登录密码');
  await field.fill(administrator.password);
  await field.press('Enter');
  await told(page, '配置更新成功');
  expect((await getSettings(ctx)).system.analytics).toContain('window.counted');
});

test('an editor that was only opened closes without a question', async () => {
  const page = await visitAsAdministrator('/admin/article');
  await page.getByRole('button', { name: '编辑' }).first().click();
  await page.locator('[contenteditable="true"]').waitFor();
  await page.getByRole('button', { name: /取\s*消/ }).click();
  await page.locator('[contenteditable="true"]').waitFor({ state: 'hidden' });
  expect(await page.getByText('填写的内容还没有保存。').count()).toBe(0);
});

test('a list with nothing in it says so, and one that cannot be had is asked for again, also on a phone', async () => {
  const page = await visitAsAdministrator('/admin/comment', phone);
  await page.getByText('没有符合条件的评论').waitFor();
  await failRequests(page, '/report/list?*', '报表正在维护');
  await page.goto('/admin/report');
  await page.getByText('列表加载失败').waitFor();
  await page.getByText('报表正在维护').first().waitFor();
  expect(await page.getByText('没有举报').count()).toBe(0);
  await page.unrouteAll();
  await page.getByRole('button', { name: /重\s*试/ }).click();
  await page.getByText('没有举报').waitFor();
  expect(await page.getByText('列表加载失败').count()).toBe(0);
});

test('a list shows after a reload by what it is ordered', async () => {
  const page = await visitAsAdministrator('/admin/document/searchrecord');
  await page.locator('th.ant-table-column-has-sorters').filter({ hasText: '时间' }).click();
  const ascending = page.locator('th[aria-sort="ascending"]');
  await expect.poll(() => ascending.textContent()).toBe('时间');
  await page.waitForURL(/order=/);
  await page.reload();
  await expect.poll(() => ascending.textContent()).toBe('时间');
});

test('no page of the back-office threw an error', () => {
  expect(errors).toEqual([]);
});
