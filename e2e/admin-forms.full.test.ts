import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { getSettings } from '#modules/settings/settings.ts';
import { administrator, startSite } from './support/site.ts';

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

test('what was typed in one group of settings is there after a look at another', async () => {
  const page = await visitAsAdministrator('/admin/config');
  await page.getByLabel('网站名称').fill('豆库之友');
  const groups = page.getByRole('navigation', { name: '设置分组' }).getByRole('link');
  await groups.nth(1).click();
  await page.getByLabel('网站名称').waitFor({ state: 'hidden' });
  await groups.first().click();
  expect(await page.getByLabel('网站名称').inputValue()).toBe('豆库之友');
});

test('a form that would lose what was typed asks first', async () => {
  const page = await visitAsAdministrator('/admin/friendlink');
  const open = () => page.getByRole('button', { name: '新增友链' }).click();
  const name = page.getByRole('dialog', { name: '新增友链' }).getByLabel('名称');
  await open();
  await name.waitFor();
  await page.keyboard.press('Escape');
  await name.waitFor({ state: 'hidden' });
  await open();
  await name.fill('写到一半的友链');
  await page.keyboard.press('Escape');
  await page.getByText('填写的内容还没有保存。').waitFor();
  await page.getByRole('button', { name: '继续填写' }).click();
  expect(await name.inputValue()).toBe('写到一半的友链');
  await page
    .getByRole('dialog', { name: '新增友链' })
    .getByRole('button', { name: /取\s*消/ })
    .click();
  await page.getByRole('button', { name: /放\s*弃/ }).click();
  await name.waitFor({ state: 'hidden' });
});

test('an editor that was only opened closes without a question', async () => {
  const page = await visitAsAdministrator('/admin/article');
  await page.getByRole('button', { name: '编辑' }).first().click();
  await page.locator('[contenteditable="true"]').waitFor();
  await page.getByRole('button', { name: /取\s*消/ }).click();
  await page.locator('[contenteditable="true"]').waitFor({ state: 'hidden' });
  expect(await page.getByText('填写的内容还没有保存。').count()).toBe(0);
});

test('no page of the back-office threw an error', () => {
  expect(errors).toEqual([]);
});
