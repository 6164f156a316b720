import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { findAxeProblemsOnDesktopAndPhone } from './support/axe.ts';
import { startTestSite } from './support/site.ts';
import { newAccount, TEST_PASSWORD } from './test-accounts.ts';

const site = await startTestSite();
const { visit, visitAs } = site;
const adminApi = createAdminApi(site);
await adminApi.setSettings({
  'security.enable_captcha_login': 'true',
  'security.enable_verify_register_email': 'true',
});

type Screen = { path: string; prepare?: (page: Page) => Promise<unknown> };

const guestScreens: Screen[] = [
  { path: '/login', prepare: (page) => page.getByAltText('验证码图片').waitFor() },
  {
    path: '/login',
    prepare: async (page) => {
      await page.getByRole('button', { name: '看不清图片？改用自动验证' }).click();
      await page.getByText('自动验证已完成').waitFor();
    },
  },
  { path: '/findpassword', prepare: (page) => page.getByText('本站还不能寄出邮件').waitFor() },
  {
    path: '/register',
    prepare: async (page) => {
      await page.getByAltText('验证码图片').waitFor();
      await page.getByRole('button', { name: '注册', exact: true }).click();
      await page.getByText('请输入您的登录密码').waitFor();
    },
  },
  {
    path: '/findpassword?token=x&email=reader%40mail.example',
    prepare: async (page) => {
      await page.getByRole('button', { name: '立即提交' }).click();
      await page.getByText('请输入新密码').waitFor();
    },
  },
  { path: '/user/1/favorite' },
];
const openProfile = async (page: Page, tab: string) => {
  await page.getByRole('main').getByRole('button', { name: '个人资料' }).click();
  await page.getByRole('tab', { name: tab }).click();
  await page.getByRole('tabpanel', { name: tab }).waitFor();
};
const ownerScreens = (home: string): Screen[] => [
  { path: '/', prepare: (page) => page.getByRole('button', { name: '今日已签到' }).waitFor() },
  { path: home, prepare: (page) => page.getByText('完成了每日签到，获得').waitFor() },
  { path: `${home}/credit`, prepare: (page) => page.getByText('签到奖励').waitFor() },
  { path: `${home}/security`, prepare: (page) => page.getByText('当前设备').waitFor() },
  { path: home, prepare: (page) => openProfile(page, '个人资料') },
  { path: home, prepare: (page) => openProfile(page, '修改资料') },
  {
    path: home,
    prepare: async (page) => {
      await openProfile(page, '修改资料');
      await page.getByLabel('联系邮箱').fill('another@mail.example');
      await page.getByRole('button', { name: '获取验证码' }).click();
      await page.getByText('请输入您的登录密码').waitFor();
    },
  },
  { path: home, prepare: (page) => openProfile(page, '修改密码') },
  {
    path: `${home}/security`,
    prepare: async (page) => {
      await page.getByRole('button', { name: '开启两步验证' }).click();
      await page.getByLabel('登录密码').fill(TEST_PASSWORD);
      await page.getByRole('button', { name: '下一步' }).click();
      await page.getByAltText('两步验证的二维码').waitFor();
    },
  },
  {
    path: `${home}/security`,
    prepare: async (page) => {
      await page.getByRole('button', { name: '退出全部设备' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

test('the account pages have no serious accessibility problem on desktop or phone, in the light or dark theme', async () => {
  const account = await newAccount(site, `axe-${crypto.randomUUID().slice(0, 6)}`);
  const headers = await account.logIn();
  await fetch(`${site.address}/api/v1/user/sign`, { method: 'PUT', headers });
  const guestPage = await visit('/404');
  const ownerPage = await visitAs(headers, '/404');
  const problemsByScreen: Record<string, string[]> = {};
  const checkScreen = async (page: Page, { path, prepare }: Screen, name: string) => {
    await page.goto(path);
    await prepare?.(page);
    const problems = await findAxeProblemsOnDesktopAndPhone(page);
    if (problems.length > 0) problemsByScreen[name] = [...new Set(problems)];
  };
  for (const screen of guestScreens) await checkScreen(guestPage, screen, screen.path);
  for (const [index, screen] of ownerScreens(`/user/${account.id}`).entries())
    await checkScreen(ownerPage, screen, `${index} ${screen.path}`);
  await adminApi.setSettings({ 'security.is_close': 'true' });
  await guestPage.goto('/category/1');
  await guestPage.getByRole('heading', { name: '站点暂时关闭' }).waitFor();
  const closedSiteProblems = await findAxeProblemsOnDesktopAndPhone(guestPage);
  await adminApi.setSettings({ 'security.is_close': 'false' });
  expect({ ...problemsByScreen, ...(closedSiteProblems.length > 0 && { closedSiteProblems }) }).toEqual({});
});
