import { expect, test } from 'vitest';
import { eventually, submitLoginForm, waitForHydration } from './page-helpers.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const { visit, address, errors } = await startTestSite();

test('the home page shows the logo, 首页 and the first six enabled top-level categories', async () => {
  const page = await visit('/');
  const bar = page.getByRole('banner');
  const links = await bar.getByRole('navigation').getByRole('link').allTextContents();
  expect(links).toEqual(['首页', '教育考试', '学术论文', '计算机', '经济管理', '办公文书', '工程技术']);
  expect(await bar.getByRole('link', { name: '豆库' }).getAttribute('href')).toBe('/redirect/admin');
  expect(await bar.getByText('频道分类').count()).toBe(0);
  expect(await bar.getByPlaceholder('搜索文档...').count()).toBe(0);
});

test('on a phone the menu opens a drawer of 60 % width with search, login and expanded categories', async () => {
  const page = await visit('/', phone);
  await page.getByRole('button', { name: '菜单' }).click();
  const drawer = page.getByRole('dialog');
  await eventually(async () => (await drawer.boundingBox())?.width).toBe(390 * 0.6);
  await drawer.getByPlaceholder('搜索文档...').waitFor();
  expect(await drawer.getByRole('link', { name: '登录注册' }).getAttribute('href')).toBe('/login');
  const channels = drawer.getByRole('button', { name: '频道分类' });
  expect(await channels.getAttribute('aria-expanded')).toBe('true');
  await drawer.getByRole('link', { name: '医学健康' }).waitFor();
  await channels.click();
  await drawer.getByRole('link', { name: '医学健康' }).waitFor({ state: 'hidden' });
  await drawer.getByPlaceholder('搜索文档...').fill('豆');
  await drawer.getByPlaceholder('搜索文档...').press('Enter');
  await page.waitForURL('**/search?wd=*');
  await eventually(() => drawer.count()).toBe(0);
});

test('the theme follows the system until the user chooses one, the choice survives a reload, and a logout clears it', async () => {
  const page = await visit('/login', { ...desktop, colorScheme: 'dark' });
  const readTheme = () => page.evaluate(() => document.documentElement.dataset.theme);
  expect(await readTheme()).toBe('dark');
  await waitForHydration(page);
  await page.getByRole('button', { name: /外观：跟随系统/ }).click();
  await eventually(readTheme).toBe('light');
  await page.reload();
  expect(await readTheme()).toBe('light');
  await submitLoginForm(page);
  await page.waitForURL(`${address}/`);
  await page.getByRole('banner').getByRole('button', { name: 'admin' }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.getByText('已退出登录').waitFor();
  await eventually(readTheme).toBe('dark');
  await page.reload();
  expect(await readTheme()).toBe('dark');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
