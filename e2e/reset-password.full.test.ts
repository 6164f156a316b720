import { beforeEach, expect, test } from 'vitest';
import { startMailServer } from '#modules/mail/mail-server.fixture.ts';
import { createAdminApi } from './admin-api.ts';
import { eventually, submitLoginForm } from './page-helpers.ts';
import { waitForText } from './support/page.ts';
import { phone, startTestSite } from './support/site.ts';
import { captureCaptchaId, newAccount, solveCaptcha, TEST_PASSWORD } from './test-accounts.ts';

const site = await startTestSite();
const { visit, address, errors } = site;
const adminApi = createAdminApi(site);
const { port } = await startMailServer();
await adminApi.setSettings({ 'email.enable': 'true', 'email.host': '127.0.0.1', 'email.is_tls': 'false' });
await adminApi.setSettings({ 'email.port': String(port) });
const setCaptchasEnabled = (isEnabled: boolean) =>
  adminApi.setSettings({
    'security.enable_captcha_login': String(isEnabled),
    'security.enable_captcha_register': String(isEnabled),
    'security.enable_captcha_find_password': String(isEnabled),
  });

beforeEach(() => setCaptchasEnabled(true));

test('a user resets a forgotten password with the captcha and a mailed link that works only once', async () => {
  const { username, email } = await newAccount(site, '健忘的读者');
  const page = await visit('about:blank', phone);
  const captchaId = await captureCaptchaId(page, () => page.goto('/findpassword'));
  await page.getByLabel('电子邮箱').fill(email);
  await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, captchaId));
  await page.getByRole('button', { name: '立即提交' }).click();
  await waitForText(page, '提交成功，请查看您的邮箱');
  expect(await page.getByRole('button', { name: '立即提交' }).isDisabled()).toBe(true);

  const readResetLink = async () => {
    const { rows } = await site.pool.query('select text from mails where recipient = $1', [email]);
    return rows[0]?.text.match(/https?:\/\/\S+/)?.[0] ?? '';
  };
  await eventually(readResetLink).toContain('/findpassword?token=');
  const { pathname, search } = new URL(await readResetLink());
  const resetCaptchaId = await captureCaptchaId(page, () => page.goto(pathname + search));
  expect(await page.getByLabel('电子邮箱').inputValue()).toBe(email);
  expect(await page.getByLabel('电子邮箱').isEditable()).toBe(false);
  await page.getByLabel('账户密码').fill('another-password');
  await page.getByLabel('确认密码').fill('something-else');
  await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, resetCaptchaId));
  await page.getByRole('button', { name: '立即提交' }).click();
  await waitForText(page, '两次输入的密码不一致');
  await page.getByLabel('确认密码').fill('another-password');
  await page.getByRole('button', { name: '立即提交' }).click();
  await waitForText(page, '设置成功，请用新密码重新登录');
  await page.waitForURL(`${address}/login`);

  await setCaptchasEnabled(false);
  await page.reload();
  await submitLoginForm(page, { username, password: TEST_PASSWORD });
  await page.getByRole('alert').getByText('用户名或密码错误').waitFor();
  await submitLoginForm(page, { username, password: 'another-password' });
  await waitForText(page, '登录成功');
  const reusedLinkPage = await visit(pathname + search);
  await reusedLinkPage.getByLabel('账户密码').fill('third-password');
  await reusedLinkPage.getByLabel('确认密码').fill('third-password');
  await reusedLinkPage.getByRole('button', { name: '立即提交' }).click();
  await waitForText(reusedLinkPage, '重置链接无效或已过期，请重新申请');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
