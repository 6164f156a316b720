import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { keeperOf } from './public-site.ts';
import { findAxeProblemsOnDesktopAndPhone } from './support/axe.ts';
import { startSite } from './support/site.ts';
import { newAccount, PASSWORD } from './test-accounts.ts';

const site = await startSite();
const { visit, visitAs } = site;
const keeper = keeperOf(site);
await keeper.set({
  'security.enable_captcha_login': 'true',
  'security.enable_verify_register_email': 'true',
});

type Screen = { path: string; act?: (page: Page) => Promise<unknown> };

const forGuests: Screen[] = [
  { path: '/login', act: (page) => page.getByAltText('验证码图片').waitFor() },
  {
    path: '/login',
    act: async (page) => {
      await page.getByRole('button', { name: '看不清图片？改用自动验证' }).click();
      await page.getByText('自动验证已完成').waitFor();
    },
  },
  { path: '/findpassword', act: (page) => page.getByText('本站还不能寄出邮件').waitFor() },
  {
    path: '/register',
    act: async (page) => {
      await page.getByAltText('验证码图片').waitFor();
      await page.getByRole('button', { name: '注册', exact: true }).click();
      await page.getByText('请输入您的登录密码').waitFor();
    },
  },
  {
    path: '/findpassword?token=x&email=reader%40mail.example',
    act: async (page) => {
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
const forOwners = (home: string): Screen[] => [
  { path: '/', act: (page) => page.getByRole('button', { name: '今日已签到' }).waitFor() },
  { path: home, act: (page) => page.getByText('完成了每日签到，获得').waitFor() },
  { path: `${home}/credit`, act: (page) => page.getByText('签到奖励').waitFor() },
  { path: `${home}/security`, act: (page) => page.getByText('当前设备').waitFor() },
  { path: home, act: (page) => openProfile(page, '个人资料') },
  { path: home, act: (page) => openProfile(page, '修改资料') },
  {
    path: home,
    act: async (page) => {
      await openProfile(page, '修改资料');
      await page.getByLabel('联系邮箱').fill('another@mail.example');
      await page.getByRole('button', { name: '获取验证码' }).click();
      await page.getByText('请输入您的登录密码').waitFor();
    },
  },
  { path: home, act: (page) => openProfile(page, '修改密码') },
  {
    path: `${home}/security`,
    act: async (page) => {
      await page.getByRole('button', { name: '开启两步验证' }).click();
      await page.getByLabel('登录密码').fill(PASSWORD);
      await page.getByRole('button', { name: '下一步' }).click();
      await page.getByAltText('两步验证的二维码').waitFor();
    },
  },
  {
    path: `${home}/security`,
    act: async (page) => {
      await page.getByRole('button', { name: '退出全部设备' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

test('the pages of accounts have no serious accessibility problem at a desk or on a phone, in light or dark', async () => {
  const person = await newAccount(site, `axe-${crypto.randomUUID().slice(0, 6)}`);
  const headers = await person.logIn();
  await fetch(`${site.address}/api/v1/user/sign`, { method: 'PUT', headers });
  const guest = await visit('/404');
  const owner = await visitAs(headers, '/404');
  const found: Record<string, string[]> = {};
  const look = async (page: Page, { path, act }: Screen, name: string) => {
    await page.goto(path);
    await act?.(page);
    const here = await findAxeProblemsOnDesktopAndPhone(page);
    if (here.length > 0) found[name] = [...new Set(here)];
  };
  for (const screen of forGuests) await look(guest, screen, screen.path);
  for (const [at, screen] of forOwners(`/user/${person.id}`).entries())
    await look(owner, screen, `${at} ${screen.path}`);
  await keeper.set({ 'security.is_close': 'true' });
  await guest.goto('/category/1');
  await guest.getByRole('heading', { name: '站点暂时关闭' }).waitFor();
  const closed = await findAxeProblemsOnDesktopAndPhone(guest);
  await keeper.set({ 'security.is_close': 'false' });
  expect({ ...found, ...(closed.length > 0 && { closed }) }).toEqual({});
});
