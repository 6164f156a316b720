import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { totpSecrets } from '#modules/account/account.table.ts';
import { totpCode } from '#modules/account/totp-code.fixture.ts';
import { eventually, isFocused, readStoredState, submitLoginForm } from './page-helpers.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { newAccount, TEST_PASSWORD } from './test-accounts.ts';

const site = await startTestSite();
const { visit, visitAs, address, errors } = site;

const fetchStatus = async (headers: { authorization: string }) =>
  (await fetch(`${address}/api/v1/user`, { headers })).status;
const findRegion = (page: Page, name: string) => page.getByRole('region', { name });

test('the profile dialog links to the account security page', async () => {
  const account = await newAccount(site, 'finder');
  const page = await visitAs(await account.logIn(), `/user/${account.id}`);
  await page.getByRole('main').getByRole('button', { name: '个人资料' }).click();
  await page.getByRole('tab', { name: '修改密码' }).click();
  await page.getByRole('link', { name: '管理登录设备和两步验证' }).click();
  await page.waitForURL(`${address}/user/${account.id}/security`);
  await page.getByRole('heading', { name: '登录设备' }).waitFor();
  // The dialog closes with an animation.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])('at %s a user sees the logged-in devices, logs out one of them and then all', async (viewportName, device) => {
  const account = await newAccount(site, `device${viewportName.slice(0, 3)}`);
  const [revokedSession, otherSession] = [await account.logIn('198.51.100.7'), await account.logIn('198.51.100.8')];
  const page = await visit('/login?redirect=%2Fuser', device);
  await submitLoginForm(page, { username: account.username, password: TEST_PASSWORD });
  await page.waitForURL(`${address}/user/${account.id}`);
  await page.getByRole('link', { name: '账户安全' }).click();
  const rows = findRegion(page, '登录设备').getByRole('listitem');
  await eventually(() => rows.count()).toBe(3);
  const currentDevice = rows.filter({ hasText: '当前设备' });
  expect(await currentDevice.count()).toBe(1);
  expect(await currentDevice.textContent()).toContain('Chrome');
  expect(await currentDevice.getByRole('button').count()).toBe(0);
  const revokedDevice = rows.filter({ hasText: '198.51.100.7' });
  expect(await revokedDevice.textContent()).toContain('Safari · iPhone');
  await revokedDevice.getByRole('button', { name: '退出该设备' }).click();
  await waitForText(page, '该设备已退出登录');
  await eventually(() => rows.count()).toBe(2);
  expect([await fetchStatus(revokedSession), await fetchStatus(otherSession)]).toEqual([401, 200]);

  const { token } = await readStoredState(page, 'douku:user');
  await page.getByRole('button', { name: '退出全部设备' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click();
  expect(await fetchStatus(otherSession)).toBe(200);
  await page.getByRole('button', { name: '退出全部设备' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定退出' }).click();
  await waitForText(page, '已退出全部设备，请重新登录');
  await page.waitForURL('**/login?redirect=*');
  expect((await readStoredState(page, 'douku:user'))?.token ?? '').toBe('');
  const endedStatuses = [await fetchStatus(otherSession), await fetchStatus({ authorization: `Bearer ${token}` })];
  expect(endedStatuses).toEqual([401, 401]);
});

test('a user turns on two-factor login with a code, logs in with a code, and turns it off with a recovery code', async () => {
  const account = await newAccount(site, '谨慎的人');
  const page = await visitAs(await account.logIn(), `/user/${account.id}/security`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: '开启两步验证' }).click();
  await dialog.getByLabel('登录密码').fill('not-my-password');
  await dialog.getByRole('button', { name: '下一步' }).click();
  await waitForText(page, '密码错误');
  await dialog.getByLabel('登录密码').fill(TEST_PASSWORD);
  await dialog.getByRole('button', { name: '下一步' }).click();
  const qrCode = dialog.getByAltText('两步验证的二维码');
  await eventually(() => qrCode.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const secret = ((await dialog.locator('[data-secret]').textContent()) ?? '').replaceAll(' ', '');
  await dialog.getByLabel('两步验证码').fill('000000');
  await dialog.getByRole('button', { name: '开启' }).click();
  await waitForText(page, '两步验证码错误');
  const codeAt = (stepsAhead: number) => totpCode(secret, new Date(site.clock.now.getTime() + stepsAhead * 30_000));
  await dialog.getByLabel('两步验证码').fill(codeAt(0));
  await dialog.getByRole('button', { name: '开启' }).click();
  await waitForText(page, '两步验证已开启');
  const recoveryCodes = await dialog.getByRole('list', { name: '恢复码' }).getByRole('listitem').allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  // A click outside must not close the dialog, because the codes are shown only once.
  await page.mouse.click(5, 5);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: '复制' }).click();
  await waitForText(page, '已复制');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(recoveryCodes.join('\n'));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: '下载' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('豆库-恢复码.txt');
  expect(await text(await download.createReadStream())).toContain(recoveryCodes.join('\n'));
  await dialog.getByRole('button', { name: '我已保存' }).click();
  await page.getByText('还剩 10 个恢复码').waitFor();

  const phonePage = await visit('/login?redirect=%2Farticle', phone);
  await submitLoginForm(phonePage, { username: account.username, password: TEST_PASSWORD });
  const codeInput = phonePage.getByLabel('两步验证码');
  await codeInput.waitFor();
  expect(await isFocused(codeInput)).toBe(true);
  await phonePage.getByRole('button', { name: '返回上一步' }).click();
  expect(await phonePage.getByLabel('用户名').inputValue()).toBe(account.username);
  expect(await phonePage.getByLabel('密码', { exact: true }).inputValue()).toBe(TEST_PASSWORD);
  await phonePage.getByRole('button', { name: '登录' }).click();
  await codeInput.fill('000000');
  await phonePage.getByRole('button', { name: '登录' }).click();
  await phonePage.getByRole('alert').getByText('两步验证码错误').waitFor();
  await codeInput.fill(codeAt(1));
  await phonePage.getByRole('button', { name: '登录' }).click();
  await waitForText(phonePage, '登录成功');
  await phonePage.waitForURL(`${address}/article`);

  await page.getByRole('button', { name: '关闭两步验证' }).click();
  await dialog.getByLabel('登录密码').fill(TEST_PASSWORD);
  await dialog.getByLabel('两步验证码').fill(recoveryCodes[0] ?? '');
  await dialog.getByRole('button', { name: '关闭两步验证' }).click();
  await waitForText(page, '两步验证已关闭');
  await page.getByRole('button', { name: '开启两步验证' }).waitFor();
});

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])('at %s a user replaces the recovery codes with the password and a two-factor code', async (viewportName, device) => {
  const account = await newAccount(site, `renew${viewportName.slice(0, 3)}`);
  const secret = 'JBSWY3DPEHPK3PXP';
  const confirmed_at = site.clock.now.toISOString();
  await site.ctx.db.insert(totpSecrets).values({ user_id: account.id, secret, confirmed_at });
  const page = await visitAs(await account.logIn(), `/user/${account.id}/security`, device);
  const dialog = page.getByRole('dialog');
  await page.getByText('还剩 0 个恢复码').waitFor();
  await page.getByRole('button', { name: '换一批恢复码' }).click();
  await dialog.getByText('以前的恢复码全部失效').waitFor();
  const submitRenewal = () => dialog.getByRole('button', { name: '换一批', exact: true }).click();
  await submitRenewal();
  await waitForText(page, '请输入您的登录密码');
  await dialog.getByLabel('登录密码').fill('not-my-password');
  await dialog.getByLabel('两步验证码').fill(totpCode(secret, site.clock.now));
  await submitRenewal();
  await dialog.getByText('密码错误').waitFor();
  await dialog.getByLabel('登录密码').fill(TEST_PASSWORD);
  await submitRenewal();
  await waitForText(page, '恢复码已更换');
  const recoveryCodes = dialog.getByRole('list', { name: '恢复码' }).getByRole('listitem');
  expect(await recoveryCodes.count()).toBe(10);
  await dialog.getByRole('button', { name: '我已保存' }).click();
  await page.getByText('还剩 10 个恢复码').waitFor();
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
