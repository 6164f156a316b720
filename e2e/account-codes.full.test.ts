import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { waitForMail, waitForMailedCode } from '#modules/mail/mail.fixture.ts';
import { startMailServer } from '#modules/mail/mail-server.fixture.ts';
import { createAdminApi } from './admin-api.ts';
import { eventually, readStoredState } from './page-helpers.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { captureCaptchaId, countRequests, newAccount, solveCaptcha, TEST_PASSWORD } from './test-accounts.ts';

const site = await startTestSite();
const { visit, visitAs, address, errors, pool } = site;
const adminApi = createAdminApi(site);
const { port } = await startMailServer();
const setMailEnabled = (isEnabled: boolean) =>
  adminApi.setSettings({
    'email.enable': String(isEnabled),
    'email.host': '127.0.0.1',
    'email.port': String(port),
    'email.is_tls': 'false',
  });

const devices = [
  ['1280 px', desktop],
  ['390 px', phone],
] as const;
const findCaptchaInput = (page: Page) => page.getByLabel('验证码', { exact: true });

test.each(devices)(
  'at %s a visitor registers with the mailed code and solves the captcha only once',
  async (viewportName, device) => {
    await setMailEnabled(true);
    await adminApi.setSettings({
      'security.enable_verify_register_email': 'true',
      'security.enable_captcha_register': 'true',
    });
    const email = `verify${viewportName.slice(0, 3)}@mail.example`;
    const page = await visit('about:blank', device);
    const firstCaptchaId = await captureCaptchaId(page, () => page.goto('/register'));
    const codeRequests = countRequests(page, 'POST /user/email/code');
    const sendCodeButton = page.getByRole('button', { name: '获取验证码' });
    await sendCodeButton.click();
    await waitForText(page, '请输入您的邮箱地址，以便忘记密码时找回');
    await waitForText(page, '请输入验证码');
    expect(codeRequests.count).toBe(0);
    await page.getByLabel('邮箱', { exact: true }).fill(email);
    await findCaptchaInput(page).fill('no');
    const secondCaptchaId = await captureCaptchaId(page, () => sendCodeButton.click());
    expect(secondCaptchaId).not.toBe(firstCaptchaId);
    await waitForText(page, '验证码错误');
    await findCaptchaInput(page).fill(await solveCaptcha(site, secondCaptchaId));
    await sendCodeButton.click();
    await waitForText(page, '验证码已寄出，请查看您的邮箱');
    const countdownButton = page.getByRole('button', { name: /^\d+ 秒后可重发$/ });
    await countdownButton.waitFor();
    expect(await countdownButton.isDisabled()).toBe(true);
    await page.getByLabel('用户名').fill(`验证${viewportName.slice(0, 3)}`);
    await page.getByLabel('登录密码').fill(TEST_PASSWORD);
    await page.getByLabel('确认密码').fill(TEST_PASSWORD);
    const registerButton = page.getByRole('button', { name: '注册', exact: true });
    await registerButton.click();
    await waitForText(page, '请输入邮箱验证码');
    const code = await waitForMailedCode(pool, email);
    await page.getByLabel('邮箱验证码').fill(code === '000000' ? '000001' : '000000');
    await registerButton.click();
    await page.getByRole('alert').getByText('邮箱验证码错误或已过期').waitFor();
    expect(await page.getByLabel('邮箱验证码').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('邮箱验证码').fill(code);
    await registerButton.click();
    await waitForText(page, '注册成功');
    await page.waitForURL(`${address}/`);
    expect((await readStoredState(page, 'douku:user')).user.email).toBe(email);
    await adminApi.setSettings({ 'security.enable_verify_register_email': 'false' });
    await page.context().close();
    const pageWithoutCode = await visit('/register', device);
    expect(await pageWithoutCode.getByLabel('邮箱验证码').count()).toBe(0);
    await adminApi.setSettings({ 'security.enable_captcha_register': 'false' });
  },
);

test('the registration form offers another code after the countdown', async () => {
  await setMailEnabled(true);
  await adminApi.setSettings({ 'security.enable_verify_register_email': 'true' });
  const page = await visit('about:blank');
  await page.clock.install();
  await page.goto('/register');
  await page.getByLabel('邮箱', { exact: true }).fill('again@mail.example');
  await page.getByRole('button', { name: '获取验证码' }).click();
  await page.getByRole('button', { name: /秒后可重发/ }).waitFor();
  await page.clock.runFor(61_000);
  expect(await page.getByRole('button', { name: '重新获取' }).isEnabled()).toBe(true);
  // The fake clock moves only the browser, so the server still refuses another code.
  await page.getByRole('button', { name: '重新获取' }).click();
  await page.getByText(/^发送太频繁，请 \d+ 秒后再试$/).waitFor();
  await adminApi.setSettings({ 'security.enable_verify_register_email': 'false' });
});

test.each(devices)(
  'at %s a user changes the e-mail address with the password and the code mailed to the new address',
  async (viewportName, device) => {
    await setMailEnabled(true);
    const account = await newAccount(site, `mover${viewportName.slice(0, 3)}`);
    const newEmail = `next${viewportName.slice(0, 3)}@mail.example`;
    const page = await visitAs(await account.logIn(), `/user/${account.id}`, device);
    await page.getByRole('main').getByRole('button', { name: '个人资料' }).click();
    const dialog = page.getByRole('dialog', { name: '个人资料' });
    await dialog.getByRole('tab', { name: '修改资料' }).click();
    const submit = () => dialog.getByRole('button', { name: '修改资料' }).click();
    const profileRequests = countRequests(page, 'PUT /user/profile');
    expect(await dialog.getByLabel('邮箱验证码').count()).toBe(0);
    await dialog.getByLabel('联系邮箱').fill(newEmail);
    await submit();
    await waitForText(page, '请输入邮箱验证码');
    const sendCodeButton = dialog.getByRole('button', { name: '获取验证码' });
    await sendCodeButton.click();
    await waitForText(page, '请输入您的登录密码');
    await dialog.getByLabel('登录密码').fill('not-my-password');
    await sendCodeButton.click();
    await dialog.getByText('密码错误').waitFor();
    expect(profileRequests.count).toBe(0);
    await dialog.getByLabel('登录密码').fill(TEST_PASSWORD);
    await sendCodeButton.click();
    await waitForText(page, '验证码已寄出，请查看新邮箱');
    await dialog.getByLabel('邮箱验证码').fill(await waitForMailedCode(pool, newEmail));
    await submit();
    await waitForText(page, '修改成功');
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () => (await readStoredState(page, 'douku:user')).user.email).toBe(newEmail);
    expect((await waitForMail(pool, account.email)).subject).toBe('邮箱已更改 - 豆库');
  },
);

test('a site that cannot send mail says so on the password and registration pages, with the same text for every address', async () => {
  await setMailEnabled(false);
  await adminApi.setSettings({
    'security.enable_captcha_find_password': 'false',
    'security.enable_verify_register_email': 'true',
  });
  const { email } = await newAccount(site, 'unreachable');
  for (const submittedEmail of [email, 'unknown@mail.example']) {
    const page = await visit('/findpassword');
    await page.getByText('本站还不能寄出邮件').waitFor();
    expect(await page.getByRole('link', { name: '请联系管理员' }).getAttribute('href')).toBe('/article/contact');
    await page.getByLabel('电子邮箱').fill(submittedEmail);
    await page.getByRole('button', { name: '立即提交' }).click();
    await waitForText(page, '提交成功，请联系管理员取得重设密码的链接');
  }
  expect((await waitForMail(pool, email)).subject).toBe('找回密码 - 豆库');
  const page = await visit('/register');
  await waitForText(page, '本站还不能寄出邮件，请联系管理员取得验证码');
  await adminApi.setSettings({ 'security.enable_verify_register_email': 'false' });
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
