import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, keeperOf, stored } from './public-site.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startSite } from './support/site.ts';
import { failRequests, newAccount, PASSWORD } from './test-accounts.ts';

const site = await startSite();
const { visit, visitAs, address, errors } = site;
const keeper = keeperOf(site);

const card = (page: Page) => page.getByRole('region', { name: '我的账户' });
const sign = (page: Page) => page.getByRole('button', { name: '每日签到' });
const signed = (page: Page) => page.getByRole('button', { name: '今日已签到' });

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])('at %s one registers, signs in for the day and reads both in the movements of beans', async (at, device) => {
  await keeper.set({ 'security.enable_captcha_register': 'false' });
  const page = await visit('/register', device);
  const username = `bean${at.slice(0, 3)}`;
  await page.getByLabel('邮箱').fill(`${username}@mail.example`);
  await page.getByLabel('用户名').fill(username);
  await page.getByLabel('登录密码').fill(PASSWORD);
  await page.getByLabel('确认密码').fill(PASSWORD);
  await page.getByRole('button', { name: '注册', exact: true }).click();
  await waitForText(page, '注册成功');
  await page.waitForURL(`${address}/`);
  await card(page).getByText('暂无个性签名').waitFor();
  expect(await card(page).getByRole('link', { name: /^豆/ }).textContent()).toBe('豆10');
  if (device === phone) {
    await page.getByRole('button', { name: '菜单' }).click();
    await page.getByRole('dialog').waitFor();
  }
  await sign(page).click();
  await waitForText(page, '签到成功，获得 1 个二黄豆奖励');
  await signed(page).waitFor();
  expect(await signed(page).isDisabled()).toBe(true);
  await eventually(async () => (await stored(page, 'douku:user')).user.credit_count).toBe(11);
  if (device === phone) await page.getByRole('button', { name: '关闭', exact: true }).click();
  await card(page).getByRole('link', { name: /^豆/ }).click();
  await page.waitForURL('**/credit');
  const rows = page.getByRole('main').locator('li:has([data-amount])');
  await rows.first().waitFor();
  const movements = await rows.evaluateAll((items) => items.map((item) => item.textContent));
  expect(movements.map((text) => text?.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, ' '))).toEqual([
    '签到奖励+1 余额 11',
    '注册奖励+10 余额 10',
  ]);
});

test('signing in says what the response says when it fails, and 0 when no award is named', async () => {
  const person = await newAccount(site, 'signer');
  const headers = await person.logIn();
  const page = await visitAs(headers, '/');
  await sign(page).waitFor();
  await failRequests(page, '/user/sign', '签到暂停一天');
  await sign(page).click();
  await waitForText(page, '签到暂停一天');
  await page.unroute('**/api/v1/user/sign');
  await page.route('**/api/v1/user/sign', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await sign(page).click();
  await waitForText(page, '网络连接失败，请检查网络后重试');
  await page.unroute('**/api/v1/user/sign');
  await page.route('**/api/v1/user/sign', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ json: { id: 7 } }) : route.continue(),
  );
  await sign(page).click();
  await waitForText(page, '签到成功，获得 0 个二黄豆奖励');
  await page.unroute('**/api/v1/user/sign');
  // Until the page has asked again, it could learn of the other device before the click.
  await expect.poll(() => sign(page).isEnabled()).toBe(true);
  // Another device was first.
  await fetch(`${address}/api/v1/user/sign`, { method: 'PUT', headers });
  await sign(page).click();
  await waitForText(page, '您今天已经签到过了');
  await signed(page).waitFor();
});

test('the drawer of a phone knows that the day is signed', async () => {
  const person = await newAccount(site, 'drawer1');
  const headers = await person.logIn();
  await fetch(`${address}/api/v1/user/sign`, { method: 'PUT', headers });
  const page = await visitAs(headers, '/article', phone);
  await page.getByRole('button', { name: '菜单' }).click();
  await signed(page).waitFor();
  expect(await signed(page).isDisabled()).toBe(true);
});

test('movements are paged, gains and payments told apart, with their reason and balance', async () => {
  const person = await newAccount(site, 'saver');
  const page = await visitAs(await person.logIn(), `/user/${person.id}/credit`);
  await waitForText(page, '还没有豆的往来');
  for (let amount = 1; amount <= 21; amount += 1) {
    const note = `第 ${amount} 次`;
    await keeper.send('POST', '/user/credit', { user_id: person.id, amount, note });
  }
  await keeper.send('POST', '/user/credit', { user_id: person.id, amount: -31, note: '更正' });
  await page.reload();
  const rows = page.getByRole('main').locator('li:has([data-amount])');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(20);
  const newest = (await rows.first().textContent()) ?? '';
  for (const part of ['管理员扣除', '−31', '余额 200', '更正']) expect(newest).toContain(part);
  expect(await rows.nth(1).locator('[data-amount]').textContent()).toBe('+21');
  await page.getByRole('navigation', { name: '分页' }).getByRole('link', { name: '2' }).click();
  await page.waitForURL('**/credit?page=2');
  await rows.getByText('第 1 次', { exact: true }).waitFor();
  expect(await rows.count()).toBe(2);
});

test('others see name, signature, counts and what is for everybody; nothing private reaches them', async () => {
  const person = await newAccount(site, '公开的人');
  const headers = await person.logIn();
  await fetch(`${address}/api/v1/user/profile`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ email: person.email, realname: '真名实姓', signature: '有书即是家' }),
  });
  await fetch(`${address}/api/v1/user/sign`, { method: 'PUT', headers });
  const html = await (await fetch(`${address}/user/${person.id}`)).text();
  for (const text of ['公开的人', '有书即是家', '注册于', '完成了每日签到']) {
    expect(html).toContain(text);
  }
  expect(html).toContain('<title>公开的人的个人主页 - 豆库</title>');
  for (const secret of [person.email, '真名实姓', '个豆奖励', '豆明细', '账户安全']) {
    expect(html).not.toContain(secret);
  }
  const visitor = await visit(`/user/${person.id}`);
  const tabs = (page: Page) =>
    page.getByRole('navigation', { name: '个人主页栏目' }).getByRole('link').allTextContents();
  expect(await tabs(visitor)).toEqual(['主页', '文档', '粉丝', '收藏', '关注']);
  const own = await visitAs(headers, `/user/${person.id}`);
  await own.getByText('完成了每日签到，获得 1 个豆奖励').waitFor();
  expect(await tabs(own)).toEqual([
    ...['主页', '文档', '粉丝', '收藏', '关注'],
    ...['阅读历史', '我的下载', '豆明细', '账户安全'],
  ]);
});

test('the own tabs lead visitors to the login and others to what everybody sees', async () => {
  const [person, other] = [await newAccount(site, 'owner1'), await newAccount(site, 'other1')];
  for (const tab of ['history', 'download', 'credit', 'security']) {
    const path = `/user/${person.id}/${tab}`;
    const visitor = await visit(path);
    await visitor.waitForURL(`${address}/login?redirect=${encodeURIComponent(path)}`);
    const stranger = await visitAs(await other.logIn(), path);
    await stranger.waitForURL(`${address}/user/${person.id}`);
  }
});

test('an unknown user answers 404, a tab with nothing in it says so', async () => {
  for (const path of ['/user/999999', '/user/9999999999', '/user/999999/document']) {
    const answer = await fetch(`${address}${path}`);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.text()).toContain('This page could not be found');
  }
  const page = await visit('/user/1/fans');
  await page.getByText('还没有粉丝').waitFor();
});

test('no page of the own home threw an error', () => {
  expect(errors).toEqual([]);
});
