import { expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { findDialogField, waitForText } from './support/page.ts';
import { startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit, visitAsAdministrator, errors } = site;

test('an administrator adds, edits and deletes a friend link, and visitors see it on the home page', async () => {
  const page = await visitAsAdministrator('/admin/friendlink');
  await page.getByRole('button', { name: '新增友链' }).click();
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('请输入名称').waitFor();
  await findDialogField(page, '名称').fill('开放书库');
  await findDialogField(page, '地址').fill('https://books.example/');
  await page.getByRole('button', { name: '保存' }).click();
  await waitForText(page, '新增成功');
  const visitorPage = await visit('/');
  const link = visitorPage.getByRole('link', { name: '开放书库' });
  expect(await link.getAttribute('target')).toBe('_blank');
  await page.getByRole('button', { name: '编辑' }).click();
  await findDialogField(page, '名称').fill('公开书库');
  await page.getByRole('button', { name: '保存' }).click();
  await waitForText(page, '修改成功');
  await page.getByRole('button', { name: '删除', exact: true }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await waitForText(page, '删除成功');
});

test('the next page that a visitor opens shows a setting changed in the back-office', async () => {
  const page = await visitAsAdministrator('/admin/config');
  await page.getByLabel('网站名称').fill('云上书房');
  await page.getByRole('button', { name: '提交' }).first().click();
  await waitForText(page, '配置更新成功');
  const visitorPage = await visit('/article/help');
  expect(await visitorPage.title()).toBe('使用帮助 - 云上书房');
});

test('the system figures of a built site name its build', async () => {
  const { hash, build_at } = await createAdminApi(site).send('GET', '/stats');
  expect(hash).toMatch(/^[0-9a-f]{12}$/);
  expect(Date.parse(build_at)).toBeLessThan(Date.now());
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
