import { expect, test } from 'vitest';
import { createAdminApi } from './admin-api.ts';
import { submitLoginForm } from './page-helpers.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { newAccount, TEST_PASSWORD } from './test-accounts.ts';

const site = await startTestSite();
const { visit, errors } = site;
await createAdminApi(site).setSettings({ 'security.enable_captcha_login': 'true' });

test.each([
  ['1280 px', desktop],
  ['390 px', phone],
])(
  'at %s a proof of work replaces the captcha image of a login, also after a wrong password',
  async (viewportName, device) => {
    const { username } = await newAccount(site, `work${viewportName.slice(0, 3)}`);
    const page = await visit('/login', device);
    await page.getByAltText('验证码图片').waitFor();
    await page.getByRole('button', { name: '看不清图片？改用自动验证' }).press('Enter');
    await page.getByText('自动验证已完成').waitFor();
    await submitLoginForm(page, { username, password: 'not-this-one' });
    await page.getByRole('alert').getByText('用户名或密码错误').waitFor();
    // The refused login consumed the first captcha; the browser solves the next one automatically.
    await page.getByText('正在自动验证').waitFor({ state: 'hidden' });
    await page.getByText('自动验证已完成').waitFor();
    await submitLoginForm(page, { username, password: TEST_PASSWORD });
    await waitForText(page, '登录成功');
    expect(errors).toEqual([]);
  },
);

test('a login whose proof-of-work script fails to load says so, keeps the typed user name and succeeds after a retry', async () => {
  const { username } = await newAccount(site, 'workretry');
  const page = await visit('/login');
  await page.route('**/solve-proof-of-work*.js', (route) => route.abort());
  await page.getByLabel('用户名').fill(username);
  await page.getByRole('button', { name: '看不清图片？改用自动验证' }).click();
  await page.getByText('自动验证没有成功').waitFor();
  expect(await page.getByLabel('用户名').inputValue()).toBe(username);
  await page.unroute('**/solve-proof-of-work*.js');
  await page.getByRole('button', { name: '重试' }).click();
  await page.getByText('自动验证已完成').waitFor();
  await submitLoginForm(page, { username, password: TEST_PASSWORD });
  await waitForText(page, '登录成功');
});
