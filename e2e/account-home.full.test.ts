import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { eventually, readStoredState } from './page-helpers.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { failRequests, newAccount, TEST_PASSWORD } from './test-accounts.ts';

const site = await startTestSite();
const { visit, visitAs, address, errors } = site;
const adminApi = createAdminApi(site);

const findAccountCard = (page: Page) => page.getByRole('region', { name: '我的账户' });
const findCheckInButton = (page: Page) => page.getByRole('button', { name: '每日签到' });
const findCheckedInButton = (page: Page) => page.getByRole('button', { name: '今日已签到' });

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])(
  'at %s a visitor registers, checks in for the day and sees both rewards in the credit movements',
  async (viewportName, device) => {
    await adminApi.setSettings({ 'security.enable_captcha_register': 'false' });
    const page = await visit('/register', device);
    const username = `credit${viewportName.slice(0, 3)}`;
    await page.getByLabel('邮箱').fill(`${username}@mail.example`);
    await page.getByLabel('用户名').fill(username);
    await page.getByLabel('登录密码').fill(TEST_PASSWORD);
    await page.getByLabel('确认密码').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: '注册', exact: true }).click();
    await waitForText(page, '注册成功');
    await page.waitForURL(`${address}/`);
    await findAccountCard(page).getByText('暂无个性签名').waitFor();
    expect(await findAccountCard(page).getByRole('link', { name: /^豆/ }).textContent()).toBe('豆10');
    if (device === phone) {
      await page.getByRole('button', { name: '菜单' }).click();
      await page.getByRole('dialog').waitFor();
    }
    await findCheckInButton(page).click();
    await waitForText(page, '签到成功，获得 1 个二黄豆奖励');
    await findCheckedInButton(page).waitFor();
    expect(await findCheckedInButton(page).isDisabled()).toBe(true);
    await eventually(async () => (await readStoredState(page, 'douku:user')).user.credit_count).toBe(11);
    if (device === phone) await page.getByRole('button', { name: '关闭', exact: true }).click();
    await findAccountCard(page).getByRole('link', { name: /^豆/ }).click();
    await page.waitForURL('**/credit');
    const rows = page.getByRole('main').locator('li:has([data-amount])');
    await rows.first().waitFor();
    const movements = await rows.evaluateAll((items) => items.map((item) => item.textContent));
    expect(movements.map((text) => text?.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, ' '))).toEqual([
      '签到奖励+1 余额 11',
      '注册奖励+10 余额 10',
    ]);
  },
);

test('the daily check-in shows the error message of a failed response, and a reward of 0 when the response names none', async () => {
  const account = await newAccount(site, 'signer');
  const headers = await account.logIn();
  const page = await visitAs(headers, '/');
  await findCheckInButton(page).waitFor();
  await failRequests(page, '/user/sign', '签到暂停一天');
  await findCheckInButton(page).click();
  await waitForText(page, '签到暂停一天');
  await page.unroute('**/api/v1/user/sign');
  await page.route('**/api/v1/user/sign', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await findCheckInButton(page).click();
  await waitForText(page, '网络连接失败，请检查网络后重试');
  await page.unroute('**/api/v1/user/sign');
  await page.route('**/api/v1/user/sign', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ json: { id: 7 } }) : route.continue(),
  );
  await findCheckInButton(page).click();
  await waitForText(page, '签到成功，获得 0 个二黄豆奖励');
  await page.unroute('**/api/v1/user/sign');
  // Waits until the page has fetched the check-in state; a later fetch would see the other device before the click.
  await expect.poll(() => findCheckInButton(page).isEnabled()).toBe(true);
  // Another device checks in first.
  await fetch(`${address}/api/v1/user/sign`, { method: 'PUT', headers });
  await findCheckInButton(page).click();
  await waitForText(page, '您今天已经签到过了');
  await findCheckedInButton(page).waitFor();
});

test('the drawer on a phone disables the check-in button after the check-in of the day', async () => {
  const account = await newAccount(site, 'drawer1');
  const headers = await account.logIn();
  await fetch(`${address}/api/v1/user/sign`, { method: 'PUT', headers });
  const page = await visitAs(headers, '/article', phone);
  await page.getByRole('button', { name: '菜单' }).click();
  await findCheckedInButton(page).waitFor();
  expect(await findCheckedInButton(page).isDisabled()).toBe(true);
});

test('the list of credit movements is paged and shows the signed amount, reason and balance of each movement', async () => {
  const account = await newAccount(site, 'saver');
  const page = await visitAs(await account.logIn(), `/user/${account.id}/credit`);
  await waitForText(page, '还没有豆的往来');
  for (let amount = 1; amount <= 21; amount += 1) {
    const note = `第 ${amount} 次`;
    await adminApi.send('POST', '/user/credit', { user_id: account.id, amount, note });
  }
  await adminApi.send('POST', '/user/credit', { user_id: account.id, amount: -31, note: '更正' });
  await page.reload();
  const rows = page.getByRole('main').locator('li:has([data-amount])');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(20);
  const newestRow = (await rows.first().textContent()) ?? '';
  for (const part of ['管理员扣除', '−31', '余额 200', '更正']) expect(newestRow).toContain(part);
  expect(await rows.nth(1).locator('[data-amount]').textContent()).toBe('+21');
  await page.getByRole('navigation', { name: '分页' }).getByRole('link', { name: '2' }).click();
  await page.waitForURL('**/credit?page=2');
  await rows.getByText('第 1 次', { exact: true }).waitFor();
  expect(await rows.count()).toBe(2);
});

test('a visitor sees the name, signature, counts and public activity of a user, and no private data', async () => {
  const account = await newAccount(site, '公开的人');
  const headers = await account.logIn();
  await fetch(`${address}/api/v1/user/profile`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email, realname: '真名实姓', signature: '有书即是家' }),
  });
  await fetch(`${address}/api/v1/user/sign`, { method: 'PUT', headers });
  const html = await (await fetch(`${address}/user/${account.id}`)).text();
  for (const text of ['公开的人', '有书即是家', '注册于', '完成了每日签到']) {
    expect(html).toContain(text);
  }
  expect(html).toContain('<title>公开的人的个人主页 - 豆库</title>');
  for (const secret of [account.email, '真名实姓', '个豆奖励', '豆明细', '账户安全']) {
    expect(html).not.toContain(secret);
  }
  const visitorPage = await visit(`/user/${account.id}`);
  const readTabs = (page: Page) =>
    page.getByRole('navigation', { name: '个人主页栏目' }).getByRole('link').allTextContents();
  expect(await readTabs(visitorPage)).toEqual(['主页', '文档', '粉丝', '收藏', '关注']);
  const ownerPage = await visitAs(headers, `/user/${account.id}`);
  await ownerPage.getByText('完成了每日签到，获得 1 个豆奖励').waitFor();
  expect(await readTabs(ownerPage)).toEqual([
    ...['主页', '文档', '粉丝', '收藏', '关注'],
    ...['阅读历史', '我的下载', '豆明细', '账户安全'],
  ]);
});

test('a private tab of a user redirects visitors to the login and other users to the public page', async () => {
  const [account, otherAccount] = [await newAccount(site, 'owner1'), await newAccount(site, 'other1')];
  for (const tab of ['history', 'download', 'credit', 'security']) {
    const path = `/user/${account.id}/${tab}`;
    const visitorPage = await visit(path);
    await visitorPage.waitForURL(`${address}/login?redirect=${encodeURIComponent(path)}`);
    const otherUserPage = await visitAs(await otherAccount.logIn(), path);
    await otherUserPage.waitForURL(`${address}/user/${account.id}`);
  }
});

test('the page of an unknown user answers 404, and an empty tab says that it is empty', async () => {
  for (const path of ['/user/999999', '/user/9999999999', '/user/999999/document']) {
    const response = await fetch(`${address}${path}`);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).toContain('This page could not be found');
  }
  const page = await visit('/user/1/fans');
  await page.getByText('还没有粉丝').waitFor();
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
