import sharp from 'sharp';
import { expect, test } from 'vitest';
import { totpSecrets } from '#modules/account/account.table.ts';
import { totpCode } from '#modules/account/totp-code.fixture.ts';
import { createAdminApi } from './admin-api.ts';
import { submitLoginForm } from './page-helpers.ts';
import { waitForText } from './support/page.ts';
import { phone, startTestSite } from './support/site.ts';
import { captureCaptchaId, newAccount, solveCaptcha, TEST_PASSWORD } from './test-accounts.ts';

const site = await startTestSite();
const { visit, address, errors } = site;
const adminApi = createAdminApi(site);
await adminApi.setSettings({ 'security.enable_captcha_login': 'true' });

test('a login requires the captcha, and a wrong password replaces it with another one', async () => {
  const { username } = await newAccount(site, '验证码读者');
  const page = await visit('about:blank');
  const fillCaptcha = (id: string) =>
    solveCaptcha(site, id).then((answer) => page.getByLabel('验证码', { exact: true }).fill(answer));
  const firstCaptchaId = await captureCaptchaId(page, () => page.goto('/login'));
  await submitLoginForm(page, { username, password: TEST_PASSWORD });
  await page.getByText('请输入验证码').waitFor();
  await fillCaptcha(firstCaptchaId);
  const secondCaptchaId = await captureCaptchaId(page, () =>
    submitLoginForm(page, { username, password: 'not-this-one' }),
  );
  await page.getByRole('alert').getByText('用户名或密码错误').waitFor();
  expect(secondCaptchaId).not.toBe(firstCaptchaId);
  await fillCaptcha(secondCaptchaId);
  await submitLoginForm(page, { username, password: TEST_PASSWORD });
  await waitForText(page, '登录成功');
  await page.waitForURL(`${address}/`);
});

test('a two-factor login asks for a new captcha together with the code, and keeps the user name and password', async () => {
  const { id, username } = await newAccount(site, '双重验证读者');
  const secret = 'JBSWY3DPEHPK3PXP';
  const confirmed_at = site.clock.now.toISOString();
  await site.ctx.db.insert(totpSecrets).values({ user_id: id, secret, confirmed_at });
  const page = await visit('about:blank', phone);
  const firstCaptchaId = await captureCaptchaId(page, () => page.goto('/login'));
  await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, firstCaptchaId));
  const secondCaptchaId = await captureCaptchaId(page, () =>
    submitLoginForm(page, { username, password: TEST_PASSWORD }),
  );
  await page.getByLabel('两步验证码').fill(totpCode(secret, site.clock.now));
  await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, secondCaptchaId));
  await page.getByRole('button', { name: '登录' }).click();
  await waitForText(page, '登录成功');
});

test('the login page of a closed site shows the closing statement and the configured background image', async () => {
  const form = new FormData();
  const create = { width: 80, height: 60, channels: 3, background: '#23694a' } as const;
  const bytes = new Uint8Array(await sharp({ create }).png().toBuffer());
  form.append('file', new Blob([bytes], { type: 'image/png' }), 'wall.png');
  const headers = { ...(await site.as.root()) };
  const url = `${address}/api/v1/upload/config`;
  const { data } = await (await fetch(url, { method: 'POST', headers, body: form })).json();
  await adminApi.setSettings({
    'security.is_close': 'true',
    'security.close_statement': '周日维护，下午回来。',
    'system.login_background': data.path,
  });
  const page = await visit('/login');
  await waitForText(page, '周日维护，下午回来。');
  const background = await page.getByRole('main').evaluate((main) => getComputedStyle(main).backgroundImage);
  expect(background).toContain(data.path);
  await adminApi.setSettings({ 'security.is_close': 'false', 'system.login_background': '' });
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
