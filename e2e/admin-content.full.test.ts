import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { findDialogField, waitForText } from './support/page.ts';
import { startTestSite } from './support/site.ts';

const { visit, visitAsAdministrator, errors } = await startTestSite();

const createPng = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#23694a' } })
    .png()
    .toBuffer();

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('an administrator adds one category per line, and visitors see neither a disabled category nor its children', async () => {
  const page = await visitAsAdministrator('/admin/document/category');
  await page.getByRole('button', { name: '新增分类' }).click();
  await findDialogField(page, '名称').fill('天文\n\n地理\n天文');
  await page.getByRole('button', { name: '保存' }).click();
  await waitForText(page, '新增成功');
  await page.getByRole('row', { name: /天文/ }).getByRole('button', { name: '加下级' }).click();
  await findDialogField(page, '名称').fill('星图');
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByRole('row', { name: /星图/ }).waitFor();
  await page.getByRole('switch', { name: '启用 天文' }).click();
  await waitForText(page, '修改成功');
  const visitorPage = await visit('/category');
  await visitorPage.getByText('地理').first().waitFor();
  expect(await visitorPage.getByText('星图').count()).toBe(0);
  expect(await visitorPage.getByText('天文').count()).toBe(0);
});

test('an administrator uploads a banner, and the list shows its image', async () => {
  const page = await visitAsAdministrator('/admin/banner');
  await page.getByRole('button', { name: '新增横幅' }).click();
  await page.getByLabel('上传横幅图片').setInputFiles({
    name: 'banner.png',
    mimeType: 'image/png',
    buffer: await createPng(1200, 420),
  });
  await page.getByRole('img', { name: '横幅图片' }).waitFor();
  await findDialogField(page, '名称').fill('开馆');
  await page.getByRole('button', { name: '保存' }).click();
  await waitForText(page, '新增成功');
  const image = page.getByRole('img', { name: '开馆' });
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
});

test('an administrator writes an article in the editor, and visitors read it', async () => {
  const page = await visitAsAdministrator('/admin/article');
  await page.getByRole('button', { name: '新增单页' }).click();
  await findDialogField(page, '标题').fill('开放时间');
  await findDialogField(page, '标识').fill('hours');
  const editor = page.locator('.admin-editor');
  await editor.click();
  await page.keyboard.type('每天开放');
  await page.getByRole('button', { name: '保存' }).click();
  await waitForText(page, '新增成功');
  const visitorPage = await visit('/article/hours');
  await visitorPage.getByText('每天开放').waitFor();
  await page.getByRole('row', { name: /hours/ }).getByRole('button', { name: '编辑' }).click();
  await page.locator('.admin-editor').getByText('每天开放').waitFor();
});
