import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { startMailServer } from '#modules/mail/mail-server.fixture.ts';
import { totpCode, totpStep } from '#modules/user/totp.ts';
import { totpSecrets } from '#modules/user/user.table.ts';
import { firstOrAll } from '#testing/tier.ts';
import {
  captchaOf,
  countCalls,
  failing,
  newPerson,
  PASSWORD,
  says,
  solveCaptcha,
} from './account-people.ts';
import { eventually, keeperOf, login, stored } from './public-site.ts';
import { desk, phone, startSite } from './support/site.ts';

const site = await startSite();
const { visit, address, errors } = site;
const keeper = keeperOf(site);
const { port } = await startMailServer();
await keeper.set({ 'email.enable': 'true', 'email.host': '127.0.0.1', 'email.is_tls': 'false' });
await keeper.set({ 'email.port': String(port) });
const captchas = (on: boolean) =>
  keeper.set({
    'security.enable_captcha_login': String(on),
    'security.enable_captcha_register': String(on),
    'security.enable_captcha_find_password': String(on),
  });

let people = 0;
const fillRegistration = async (page: Page) => {
  people += 1;
  const username = `新读者${people}`;
  await page.getByLabel('邮箱').fill(`new${people}@mail.example`);
  await page.getByLabel('用户名').fill(username);
  await page.getByLabel('登录密码').fill(PASSWORD);
  await page.getByLabel('确认密码').fill(PASSWORD);
  return username;
};
const register = (page: Page) => page.getByRole('button', { name: '注册', exact: true }).click();
const picture = (page: Page) => page.getByRole('button', { name: '点击可刷新验证码' });
const pictureSource = (page: Page) => page.getByAltText('验证码图片').getAttribute('src');

describe('with captchas', () => {
  beforeEach(() => captchas(true));

  test('the captcha is a picture that a press or the keyboard renews, and every refusal too', async () => {
    const page = await visit('/register?redirect=%2Farticle%2Fabout');
    await page.getByAltText('验证码图片').waitFor();
    expect(await picture(page).getAttribute('title')).toBe('点击可刷新验证码');
    const first = await pictureSource(page);
    await picture(page).click();
    await eventually(() => pictureSource(page)).not.toBe(first);
    const second = await pictureSource(page);
    await page.getByLabel('验证码', { exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await eventually(() => pictureSource(page)).not.toBe(second);

    const username = await fillRegistration(page);
    await register(page);
    await says(page, '请输入验证码');
    await page.getByLabel('验证码', { exact: true }).fill('no');
    const id = await captchaOf(page, () => register(page));
    await page.getByRole('alert').getByText('验证码错误').waitFor();
    expect(await page.getByLabel('用户名').inputValue()).toBe(username);
    expect(await page.getByLabel('验证码', { exact: true }).inputValue()).toBe('');

    await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, id));
    await register(page);
    await says(page, '注册成功');
    await page.waitForURL(`${address}/article/about`);
    expect(await stored(page, 'douku:user')).toMatchObject({ user: { username }, pages: [] });
    expect((await stored(page, 'douku:user')).token).not.toBe('');
  });

  test('a login asks for the captcha, and a wrong password gives another one', async () => {
    const { username } = await newPerson(site, '验证码读者');
    const page = await visit('about:blank');
    const type = (id: string) =>
      solveCaptcha(site, id).then((answer) =>
        page.getByLabel('验证码', { exact: true }).fill(answer),
      );
    const first = await captchaOf(page, () => page.goto('/login'));
    const second = await captchaOf(page, () => login(page, { username, password: PASSWORD }));
    await page.getByRole('alert').getByText('请输入验证码').waitFor();
    expect(second).not.toBe(first);
    await type(second);
    const third = await captchaOf(page, () => login(page, { username, password: 'not-this-one' }));
    await page.getByRole('alert').getByText('用户名或密码错误').waitFor();
    await type(third);
    await login(page, { username, password: PASSWORD });
    await says(page, '登录成功');
    await page.waitForURL(`${address}/`);
  });

  test('two-factor login asks for a new captcha together with the code, and keeps name and password', async () => {
    const { id, username } = await newPerson(site, '双重验证读者');
    const secret = 'JBSWY3DPEHPK3PXP';
    const confirmed_at = site.clock.now.toISOString();
    await site.ctx.db.insert(totpSecrets).values({ user_id: id, secret, confirmed_at });
    const page = await visit('about:blank', phone);
    const first = await captchaOf(page, () => page.goto('/login'));
    await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, first));
    const second = await captchaOf(page, () => login(page, { username, password: PASSWORD }));
    await page.getByLabel('两步验证码').fill(totpCode(secret, totpStep(site.clock.now)));
    await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, second));
    await page.getByRole('button', { name: '登录' }).click();
    await says(page, '登录成功');
  });

  test('a password is recovered with the captcha and the mailed link, which works once', async () => {
    const { username, email } = await newPerson(site, '健忘的读者');
    const page = await visit('about:blank', phone);
    const id = await captchaOf(page, () => page.goto('/findpassword'));
    await page.getByLabel('电子邮箱').fill(email);
    await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, id));
    await page.getByRole('button', { name: '立即提交' }).click();
    await says(page, '提交成功，请查看您的邮箱');
    expect(await page.getByRole('button', { name: '立即提交' }).isDisabled()).toBe(true);

    const link = async () => {
      const { rows } = await site.pool.query('select text from mails where recipient = $1', [
        email,
      ]);
      return rows[0]?.text.match(/https?:\/\/\S+/)?.[0] ?? '';
    };
    await eventually(link).toContain('/findpassword?token=');
    const { pathname, search } = new URL(await link());
    const next = await captchaOf(page, () => page.goto(pathname + search));
    expect(await page.getByLabel('电子邮箱').inputValue()).toBe(email);
    expect(await page.getByLabel('电子邮箱').isEditable()).toBe(false);
    await page.getByLabel('账户密码').fill('another-password');
    await page.getByLabel('确认密码').fill('something-else');
    await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, next));
    await page.getByRole('button', { name: '立即提交' }).click();
    await says(page, '两次输入的密码不一致');
    await page.getByLabel('确认密码').fill('another-password');
    await page.getByRole('button', { name: '立即提交' }).click();
    await says(page, '设置成功，请用新密码重新登录');
    await page.waitForURL(`${address}/login`);

    await captchas(false);
    await page.reload();
    await login(page, { username, password: PASSWORD });
    await page.getByRole('alert').getByText('用户名或密码错误').waitFor();
    await login(page, { username, password: 'another-password' });
    await says(page, '登录成功');
    const again = await visit(pathname + search);
    await again.getByLabel('账户密码').fill('third-password');
    await again.getByLabel('确认密码').fill('third-password');
    await again.getByRole('button', { name: '立即提交' }).click();
    await says(again, '重置链接无效或已过期，请重新申请');
  });
});

describe('without captchas', () => {
  beforeEach(() => captchas(false));

  test.each(
    firstOrAll([
      ['1280 px', desk],
      ['390 px', phone],
    ]),
  )(
    'at %s the rules of the registration speak when a field is left, and nothing is sent',
    async (_, device) => {
      const page = await visit('/register', device);
      expect(await page.getByAltText('验证码图片').count()).toBe(0);
      const sent = countCalls(page, 'POST /user/register');
      await page.getByLabel('邮箱').focus();
      await page.getByLabel('用户名').focus();
      await says(page, '请输入您的邮箱地址，以便忘记密码时找回');
      await page.getByLabel('登录密码').focus();
      await says(page, '请输入您用于登录的用户名');
      await page.getByLabel('确认密码').focus();
      await says(page, '请输入您的登录密码');
      await page.getByLabel('邮箱').fill('not an address');
      await says(page, '请再次输入您的登录密码');
      await page.getByLabel('用户名').fill('两字');
      await says(page, '请输入正确的邮箱地址');
      await page.getByLabel('登录密码').fill(PASSWORD);
      await says(page, '用户名长度在 3 到 32 个字符');
      await page.getByLabel('确认密码').fill('different');
      await register(page);
      await says(page, '两次输入的密码不一致');
      expect(
        await page.getByLabel('邮箱').evaluate((field) => field === document.activeElement),
      ).toBe(true);
      expect(sent.count).toBe(0);
    },
  );

  test('a refused registration shows what the server says, else 注册失败', async () => {
    const { username } = await newPerson(site, '占名的人');
    const page = await visit('/register');
    await fillRegistration(page);
    await page.getByLabel('用户名').fill(username);
    await register(page);
    await page.getByRole('alert').getByText('用户名已存在').waitFor();
    await failing(page, '/user/register');
    await register(page);
    await page.getByRole('alert').getByText('注册失败', { exact: true }).waitFor();
  });

  test('a closed registration says so, and the login no longer leads to it', async () => {
    await keeper.set({ 'security.enable_register': 'false' });
    const page = await visit('/register');
    await says(page, '网站暂未开放用户注册');
    expect(await page.getByLabel('用户名').count()).toBe(0);
    await page.goto('/login');
    await page.getByRole('main').getByRole('link', { name: '找回密码' }).waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: '注册账户' }).count()).toBe(0);
    await keeper.set({ 'security.enable_register': 'true' });
  });

  test('the login of a closed site shows the statement, and the picture behind it is the configured one', async () => {
    const form = new FormData();
    const create = { width: 80, height: 60, channels: 3, background: '#23694a' } as const;
    const bytes = new Uint8Array(await sharp({ create }).png().toBuffer());
    form.append('file', new Blob([bytes], { type: 'image/png' }), 'wall.png');
    const headers = { ...(await site.as.root()) };
    const url = `${address}/api/v1/upload/config`;
    const { data } = await (await fetch(url, { method: 'POST', headers, body: form })).json();
    await keeper.set({
      'security.is_close': 'true',
      'security.close_statement': '周日维护，下午回来。',
      'system.login_background': data.path,
    });
    const page = await visit('/login');
    await says(page, '周日维护，下午回来。');
    const background = await page
      .getByRole('main')
      .evaluate((main) => getComputedStyle(main).backgroundImage);
    expect(background).toContain(data.path);
    await keeper.set({ 'security.is_close': 'false', 'system.login_background': '' });
  });

  test('a failed login shows what the server says, else 登录失败', async () => {
    const page = await visit('/login');
    await login(page, { username: 'nobody', password: 'not-the-password' });
    await page.getByRole('alert').getByText('用户名或密码错误', { exact: true }).waitFor();
    await failing(page, '/user/login');
    await login(page, { username: 'nobody', password: 'not-the-password' });
    await page.getByRole('alert').getByText('登录失败', { exact: true }).waitFor();
  });

  test('when the permissions cannot be had, the login stands and says why, else 获取权限失败', async () => {
    const { username } = await newPerson(site, '无权的读者');
    for (const message of ['权限服务正在维护', undefined]) {
      const page = await visit('/login');
      await failing(page, '/user/permission', message);
      await login(page, { username, password: PASSWORD });
      await says(page, message ?? '获取权限失败');
      await page.waitForURL(`${address}/`);
      expect(await stored(page, 'douku:user')).toMatchObject({ user: { username }, pages: [] });
    }
  });

  test('the way back is kept between login and registration', async () => {
    const page = await visit('/login?redirect=%2Fcategory%2F1');
    await page.getByRole('main').getByRole('link', { name: '注册账户' }).click();
    await page.waitForURL(`${address}/register?redirect=%2Fcategory%2F1`);
    await fillRegistration(page);
    await register(page);
    await page.waitForURL(`${address}/category/1`);
  });

  test('the recovery form checks the address, and shows what the server says, else 请求失败', async () => {
    const page = await visit('/findpassword');
    const submit = () => page.getByRole('button', { name: '立即提交' }).click();
    await submit();
    await says(page, '请输入电子邮箱');
    await page.getByLabel('电子邮箱').fill('not an address');
    await submit();
    await says(page, '请输入正确的电子邮箱');
    await page.getByLabel('电子邮箱').fill('nobody@mail.example');
    await failing(page, '/user/findpassword/stepone', '邮件服务正在维护');
    await submit();
    await page.getByRole('alert').getByText('邮件服务正在维护').waitFor();
    await failing(page, '/user/findpassword/stepone');
    await submit();
    await page.getByRole('alert').getByText('请求失败', { exact: true }).waitFor();
    await page.unroute('**/api/v1/user/findpassword/stepone');
    await submit();
    await says(page, '提交成功，请查看您的邮箱');
  });
});

test('no page of guests threw an error', () => {
  expect(errors).toEqual([]);
});
