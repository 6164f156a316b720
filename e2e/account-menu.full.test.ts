import { afterAll, expect, test } from 'vitest';
import { eventually, readStoredState, waitForHydration } from './page-helpers.ts';
import { phone, startTestSite } from './support/site.ts';

/** Desktop and phone list the same entries. */
const ACCOUNT_MENU_LABELS = ['个人主页', '个人资料', '上传文档', '管理后台', '豆明细', '账户安全', '退出登录'];

const site = await startTestSite();
const { visitAsAdministrator, address, errors } = site;

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('the account menu of an administrator lists every entry and opens the profile dialog', async () => {
  const page = await visitAsAdministrator('/');
  const trigger = page.getByRole('banner').getByRole('button', { name: 'admin' });
  await trigger.click();
  const items = page.getByRole('menu', { name: '我的账户' }).getByRole('menuitem');
  await items.first().waitFor();
  expect(await items.allTextContents()).toEqual(ACCOUNT_MENU_LABELS);
  await items.filter({ hasText: '个人资料' }).click();
  const dialog = page.getByRole('dialog', { name: '个人资料' });
  await dialog.getByText('登录 IP').waitFor();
  await eventually(async () => (await dialog.boundingBox())?.width).toBe(520);
  expect(await dialog.locator('dt').allTextContents()).toEqual([
    '用户名',
    '真实姓名',
    '身份证号',
    '联系邮箱',
    '联系电话',
    '联系地址',
    '个性签名',
    '注册时间',
    '最后登录',
    '登录 IP',
  ]);
  expect(await dialog.locator('dd').nth(1).textContent()).toBe('-');
});

test('the account menu opens the credit movements and the account security, and no toast covers it', async () => {
  for (const [item, tab] of [
    ['豆明细', 'credit'],
    ['账户安全', 'security'],
  ]) {
    const page = await site.visitAs(await site.as.user(), '/');
    const { id, username } = (await readStoredState(page, 'douku:user')).user;
    await waitForHydration(page);
    // Timers of 4 s and longer never fire, so that the toast stays open on a slow machine.
    await page.evaluate(() => {
      const originalSetTimeout = window.setTimeout.bind(window);
      window.setTimeout = ((callback: () => void, delayMs = 0, ...rest: []) =>
        delayMs < 4000 ? originalSetTimeout(callback, delayMs, ...rest) : 0) as typeof window.setTimeout;
    });
    await page.getByRole('button', { name: '每日签到' }).click();
    const toast = page.locator('[data-toast]');
    await toast.waitFor();
    await page.getByRole('banner').getByRole('button', { name: username }).click();
    const menu = page.getByRole('menu', { name: '我的账户' });
    await menu.getByRole('menuitem').first().waitFor();
    await eventually(async () => {
      const [toastBox, menuBox] = [await toast.boundingBox(), await menu.boundingBox()];
      if (!toastBox || !menuBox) return 'missing';
      const isApart =
        toastBox.x >= menuBox.x + menuBox.width ||
        toastBox.x + toastBox.width <= menuBox.x ||
        toastBox.y >= menuBox.y + menuBox.height ||
        toastBox.y + toastBox.height <= menuBox.y;
      return isApart ? 'apart' : 'covered';
    }).toBe('apart');
    await menu.getByRole('menuitem', { name: item }).click();
    await page.waitForURL(`${address}/user/${id}/${tab}`);
  }
});

test('the account menu of a user without a permitted admin page has no entry 管理后台', async () => {
  const page = await site.visitAs(await site.as.user(), '/');
  await page.getByRole('banner').getByRole('button', { name: /^user/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).waitFor();
  expect(await page.getByRole('menuitem', { name: '管理后台' }).count()).toBe(0);
  await page.goto('/redirect/admin');
  await page.waitForURL(`${address}/`);
});

test('the drawer on a phone lists every account entry, with 管理后台 for every logged-in user', async () => {
  // This user has no permitted admin page.
  const page = await site.visitAs(await site.as.user(), '/', phone);
  await page.getByRole('button', { name: '菜单' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: '每日签到' }).waitFor();
  const accountNav = drawer.getByRole('navigation', { name: '我的账户' });
  await accountNav.waitFor();
  expect(await accountNav.locator('a, button').allTextContents()).toEqual(ACCOUNT_MENU_LABELS);
  await accountNav.getByRole('button', { name: '个人资料' }).click();
  const profileDialog = page.getByRole('dialog', { name: '个人资料' });
  await profileDialog.getByText('联系邮箱').waitFor();
  await eventually(async () => (await profileDialog.boundingBox())?.width).toBeCloseTo(390 * 0.95, 0);
});
