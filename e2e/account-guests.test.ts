import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { eventually, readStoredState } from './page-helpers.ts';
import { waitForText } from './support/page.ts';
import { startTestSite } from './support/site.ts';
import { captureCaptchaId, solveCaptcha, TEST_PASSWORD } from './test-accounts.ts';

const site = await startTestSite();
const { visit, address, errors } = site;
await createAdminApi(site).setSettings({ 'security.enable_captcha_register': 'true' });

let registrationCount = 0;
const fillRegistration = async (page: Page) => {
  registrationCount += 1;
  const username = `新读者${registrationCount}`;
  await page.getByLabel('邮箱').fill(`new${registrationCount}@mail.example`);
  await page.getByLabel('用户名').fill(username);
  await page.getByLabel('登录密码').fill(TEST_PASSWORD);
  await page.getByLabel('确认密码').fill(TEST_PASSWORD);
  return username;
};
const submitRegistration = (page: Page) => page.getByRole('button', { name: '注册', exact: true }).click();
const findCaptchaButton = (page: Page) => page.getByRole('button', { name: '点击可刷新验证码' });
const readCaptchaImage = (page: Page) => page.getByAltText('验证码图片').getAttribute('src');

test('the registration form shows another captcha image after a click, after Enter on the image and after each refusal', async () => {
  const page = await visit('/register?redirect=%2Farticle%2Fabout');
  await page.getByAltText('验证码图片').waitFor();
  expect(await findCaptchaButton(page).getAttribute('title')).toBe('点击可刷新验证码');
  const firstImage = await readCaptchaImage(page);
  await findCaptchaButton(page).click();
  await eventually(() => readCaptchaImage(page)).not.toBe(firstImage);
  const secondImage = await readCaptchaImage(page);
  await page.getByLabel('验证码', { exact: true }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await eventually(() => readCaptchaImage(page)).not.toBe(secondImage);

  const username = await fillRegistration(page);
  await submitRegistration(page);
  await waitForText(page, '请输入验证码');
  await page.getByLabel('验证码', { exact: true }).fill('no');
  const captchaId = await captureCaptchaId(page, () => submitRegistration(page));
  await page.getByRole('alert').getByText('验证码错误').waitFor();
  expect(await page.getByLabel('用户名').inputValue()).toBe(username);
  expect(await page.getByLabel('验证码', { exact: true }).inputValue()).toBe('');

  await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, captchaId));
  await submitRegistration(page);
  await waitForText(page, '注册成功');
  await page.waitForURL(`${address}/article/about`);
  expect(await readStoredState(page, 'douku:user')).toMatchObject({ user: { username }, pages: [] });
  expect((await readStoredState(page, 'douku:user')).token).not.toBe('');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
