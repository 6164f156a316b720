import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { getSettings } from '#modules/settings/settings.ts';
import { waitForText } from './support/page.ts';
import { administrator, phone, startTestSite } from './support/site.ts';
import { failRequests } from './test-accounts.ts';

const { visitAsAdministrator, ctx, errors } = await startTestSite();

const saveSettings = async (page: Page) => {
  await page.getByRole('button', { name: /提\s*交/ }).click();
  await waitForText(page, '配置更新成功');
};

test('the settings page saves the changes of two administrators who edit different settings at the same time', async () => {
  const firstPage = await visitAsAdministrator('/admin/config');
  const secondPage = await visitAsAdministrator('/admin/config');
  await firstPage.getByLabel('首页标题').waitFor();
  await secondPage.getByLabel('网站关键字').fill('文库,豆库');
  await firstPage.getByLabel('首页标题').fill('一座新的文库');
  await saveSettings(firstPage);
  await saveSettings(secondPage);
  const { system } = await getSettings(ctx);
  expect([system.title, system.keywords]).toEqual(['一座新的文库', '文库,豆库']);
  await secondPage.locator('.ant-btn-loading').waitFor({ state: 'detached' });
  await secondPage.getByRole('button', { name: /提\s*交/ }).click();
  await waitForText(secondPage, '没有要保存的修改');
});

test('Enter confirms the password dialog for a changed analytics script', async () => {
  const page = await visitAsAdministrator('/admin/config');
  await page.getByLabel('网站统计代码').fill('<script>window.counted = true;</script>');
  await page.getByRole('button', { name: /提\s*交/ }).click();
  const field = page.getByRole('dialog').getByLabel('登录密码');
  await field.fill(administrator.password);
  await field.press('Enter');
  await waitForText(page, '配置更新成功');
  expect((await getSettings(ctx)).system.analytics).toContain('window.counted');
});

test('the article editor closes without a confirmation when nothing has changed', async () => {
  const page = await visitAsAdministrator('/admin/article');
  await page.getByRole('button', { name: '编辑' }).first().click();
  await page.locator('[contenteditable="true"]').waitFor();
  await page.getByRole('button', { name: /取\s*消/ }).click();
  await page.locator('[contenteditable="true"]').waitFor({ state: 'hidden' });
  expect(await page.getByText('填写的内容还没有保存。').count()).toBe(0);
});

test('on a phone an empty admin list says so, and a list that failed to load can be retried', async () => {
  const page = await visitAsAdministrator('/admin/comment', phone);
  await page.getByText('还没有评论').waitFor();
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

test('an admin list keeps its sort order after a reload', async () => {
  const page = await visitAsAdministrator('/admin/document/searchrecord');
  await page.locator('th.ant-table-column-has-sorters').filter({ hasText: '时间' }).click();
  const ascendingHeader = page.locator('th[aria-sort="ascending"]');
  await expect.poll(() => ascendingHeader.textContent()).toBe('时间');
  await page.waitForURL(/order=/);
  await page.reload();
  await expect.poll(() => ascendingHeader.textContent()).toBe('时间');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
