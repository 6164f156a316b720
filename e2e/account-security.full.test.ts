import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { totpSecrets } from '#modules/account/account.table.ts';
import { totpCode, totpStep } from '#modules/account/two-factor.ts';
import { eventually, login, stored } from './public-site.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startSite } from './support/site.ts';
import { newAccount, PASSWORD } from './test-accounts.ts';

const site = await startSite();
const { visit, visitAs, address, errors } = site;

const statusOf = async (headers: { authorization: string }) =>
  (await fetch(`${address}/api/v1/user`, { headers })).status;
const section = (page: Page, name: string) => page.getByRole('region', { name });

test('the profile leads to the account security', async () => {
  const person = await newAccount(site, 'finder');
  const page = await visitAs(await person.logIn(), `/user/${person.id}`);
  await page.getByRole('main').getByRole('button', { name: '个人资料' }).click();
  await page.getByRole('tab', { name: '修改密码' }).click();
  await page.getByRole('link', { name: '管理登录设备和两步验证' }).click();
  await page.waitForURL(`${address}/user/${person.id}/security`);
  await page.getByRole('heading', { name: '登录设备' }).waitFor();
  // It leaves with a movement, which takes a moment.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])('at %s devices are listed, one is logged out, then all of them', async (at, device) => {
  const person = await newAccount(site, `device${at.slice(0, 3)}`);
  const [lost, other] = [await person.logIn('198.51.100.7'), await person.logIn('198.51.100.8')];
  const page = await visit('/login?redirect=%2Fuser', device);
  await login(page, { username: person.username, password: PASSWORD });
  await page.waitForURL(`${address}/user/${person.id}`);
  await page.getByRole('link', { name: '账户安全' }).click();
  const rows = section(page, '登录设备').getByRole('listitem');
  await eventually(() => rows.count()).toBe(3);
  const here = rows.filter({ hasText: '当前设备' });
  expect(await here.count()).toBe(1);
  expect(await here.textContent()).toContain('Chrome');
  expect(await here.getByRole('button').count()).toBe(0);
  const gone = rows.filter({ hasText: '198.51.100.7' });
  expect(await gone.textContent()).toContain('Safari · iPhone');
  await gone.getByRole('button', { name: '退出该设备' }).click();
  await waitForText(page, '该设备已退出登录');
  await eventually(() => rows.count()).toBe(2);
  expect([await statusOf(lost), await statusOf(other)]).toEqual([401, 200]);

  const { token } = await stored(page, 'douku:user');
  await page.getByRole('button', { name: '退出全部设备' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click();
  expect(await statusOf(other)).toBe(200);
  await page.getByRole('button', { name: '退出全部设备' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定退出' }).click();
  await waitForText(page, '已退出全部设备，请重新登录');
  await page.waitForURL('**/login?redirect=*');
  expect((await stored(page, 'douku:user'))?.token ?? '').toBe('');
  const ended = [await statusOf(other), await statusOf({ authorization: `Bearer ${token}` })];
  expect(ended).toEqual([401, 401]);
});

test('two-factor login is turned on with a code, asked for at login, and turned off with a recovery code', async () => {
  const person = await newAccount(site, '谨慎的人');
  const page = await visitAs(await person.logIn(), `/user/${person.id}/security`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: '开启两步验证' }).click();
  await dialog.getByLabel('登录密码').fill('not-my-password');
  await dialog.getByRole('button', { name: '下一步' }).click();
  await waitForText(page, '密码错误');
  await dialog.getByLabel('登录密码').fill(PASSWORD);
  await dialog.getByRole('button', { name: '下一步' }).click();
  const qr = dialog.getByAltText('两步验证的二维码');
  await eventually(() => qr.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const secret = ((await dialog.locator('[data-secret]').textContent()) ?? '').replaceAll(' ', '');
  await dialog.getByLabel('两步验证码').fill('000000');
  await dialog.getByRole('button', { name: '开启' }).click();
  await waitForText(page, '两步验证码错误');
  const code = (ahead: number) => totpCode(secret, totpStep(site.clock.now) + ahead);
  await dialog.getByLabel('两步验证码').fill(code(0));
  await dialog.getByRole('button', { name: '开启' }).click();
  await waitForText(page, '两步验证已开启');
  const codes = await dialog.getByRole('list', { name: '恢复码' }).getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  // A press beside it must not lose what is shown once.
  await page.mouse.click(5, 5);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: '复制' }).click();
  await waitForText(page, '已复制');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: '下载' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('豆库-恢复码.txt');
  expect(await text(await download.createReadStream())).toContain(codes.join('\n'));
  await dialog.getByRole('button', { name: '我已保存' }).click();
  await page.getByText('还剩 10 个恢复码').waitFor();

  const elsewhere = await visit('/login?redirect=%2Farticle', phone);
  await login(elsewhere, { username: person.username, password: PASSWORD });
  const asked = elsewhere.getByLabel('两步验证码');
  await asked.waitFor();
  expect(await asked.evaluate((field) => field === document.activeElement)).toBe(true);
  await elsewhere.getByRole('button', { name: '返回上一步' }).click();
  expect(await elsewhere.getByLabel('用户名').inputValue()).toBe(person.username);
  expect(await elsewhere.getByLabel('密码', { exact: true }).inputValue()).toBe(PASSWORD);
  await elsewhere.getByRole('button', { name: '登录' }).click();
  await asked.fill('000000');
  await elsewhere.getByRole('button', { name: '登录' }).click();
  await elsewhere.getByRole('alert').getByText('两步验证码错误').waitFor();
  await asked.fill(code(1));
  await elsewhere.getByRole('button', { name: '登录' }).click();
  await waitForText(elsewhere, '登录成功');
  await elsewhere.waitForURL(`${address}/article`);

  await page.getByRole('button', { name: '关闭两步验证' }).click();
  await dialog.getByLabel('登录密码').fill(PASSWORD);
  await dialog.getByLabel('两步验证码').fill(codes[0] ?? '');
  await dialog.getByRole('button', { name: '关闭两步验证' }).click();
  await waitForText(page, '两步验证已关闭');
  await page.getByRole('button', { name: '开启两步验证' }).waitFor();
});

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])('at %s other recovery codes are had with both proofs, and the old ones no longer open', async (at, device) => {
  const person = await newAccount(site, `renew${at.slice(0, 3)}`);
  const secret = 'JBSWY3DPEHPK3PXP';
  const confirmed_at = site.clock.now.toISOString();
  await site.ctx.db.insert(totpSecrets).values({ user_id: person.id, secret, confirmed_at });
  const page = await visitAs(await person.logIn(), `/user/${person.id}/security`, device);
  const dialog = page.getByRole('dialog');
  await page.getByText('还剩 0 个恢复码').waitFor();
  await page.getByRole('button', { name: '换一批恢复码' }).click();
  await dialog.getByText('以前的恢复码全部失效').waitFor();
  const renew = () => dialog.getByRole('button', { name: '换一批', exact: true }).click();
  await renew();
  await waitForText(page, '请输入您的登录密码');
  await dialog.getByLabel('登录密码').fill('not-my-password');
  await dialog.getByLabel('两步验证码').fill(totpCode(secret, totpStep(site.clock.now)));
  await renew();
  await dialog.getByText('密码错误').waitFor();
  await dialog.getByLabel('登录密码').fill(PASSWORD);
  await renew();
  await waitForText(page, '恢复码已更换');
  const codes = dialog.getByRole('list', { name: '恢复码' }).getByRole('listitem');
  expect(await codes.count()).toBe(10);
  await dialog.getByRole('button', { name: '我已保存' }).click();
  await page.getByText('还剩 10 个恢复码').waitFor();
});

test('no page of the account security threw an error', () => {
  expect(errors).toEqual([]);
});
