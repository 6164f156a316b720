import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { captchaApi, captchaErrors } from '#modules/captcha/captcha.contract.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { AppError } from '#platform/contract/errors.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { noCaptcha, numberedCaptchas } from '#testing/web/captcha-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { userApi, userErrors } from '../account.contract.ts';
import { myPermissionsApi } from '../permission.contract.ts';
import { LoginForm } from './login-form.tsx';
import { useSession } from './session-store.ts';

const loginOutput = { user: testUser(), token: 'new token' };
const submit = () => screen.getByRole('button', { name: '登录' });
const picture = () => screen.findByAltText('验证码图片');

async function fillIn({ fill }: Pick<ReturnType<typeof renderPage>, 'fill'>, password: string) {
  await fill(screen.getByLabelText('用户名'), '读者');
  await fill(screen.getByLabelText('密码'), password);
}

it('the login form shows the message of the server when a login fails, else 登录失败', async () => {
  const page = renderPage(<LoginForm />, {
    replies: [noCaptcha, replyTo(userApi.login, userErrors.wrongCredentials())],
  });
  await fillIn(page, 'not-the-password');
  await page.userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('用户名或密码错误'));
  page.api.set(replyTo(userApi.login, failureWithoutMessage()));
  await page.userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('登录失败'));
  expect(screen.getByLabelText<HTMLInputElement>('用户名').value).toBe('读者');
});

it('the login form stores the session, says 登录成功 and returns to the page of the redirect', async () => {
  const page = renderPage(<LoginForm />, {
    path: '/login?redirect=%2Fcategory%2F1',
    replies: [noCaptcha, replyTo(userApi.login, loginOutput)],
  });
  await fillIn(page, 'a-long-password');
  await page.userInput.keyboard('{Enter}');
  await screen.findByText('登录成功');
  await waitFor(() => expect(page.address()).toBe('/category/1'));
  expect(useSession.getState()).toMatchObject({ token: 'new token', user: { username: '读者' } });
  expect(page.api.inputsOf(userApi.login)).toEqual([{ username: '读者', password: 'a-long-password' }]);
});

it('the login form shows another captcha after each failed login and empties its field', async () => {
  const page = renderPage(<LoginForm />, {
    replies: [numberedCaptchas(), replyTo(userApi.login, captchaErrors.wrong())],
  });
  expect((await picture()).getAttribute('src')).toBe('data:,1');
  await fillIn(page, 'not-the-password');
  await page.userInput.type(screen.getByLabelText('验证码'), '00000');
  await page.userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('验证码错误'));
  await waitFor(async () => expect((await picture()).getAttribute('src')).toBe('data:,2'));
  page.api.set(replyTo(userApi.login, userErrors.wrongCredentials()));
  const answer = screen.getByLabelText<HTMLInputElement>('验证码');
  await page.userInput.type(answer, '12345');
  await page.userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('用户名或密码错误'));
  await waitFor(async () => expect((await picture()).getAttribute('src')).toBe('data:,3'));
  expect(answer.value).toBe('');
  expect(page.api.inputsOf(userApi.login)[1]).toMatchObject({
    captcha: '12345',
    captcha_id: 'captcha-2',
  });
});

it('the login form sends no login before the captcha has arrived and is answered, and keeps the answer', async () => {
  const { promise: captchaReply, resolve: sendCaptcha } = Promise.withResolvers<OutputOf<typeof captchaApi.get>>();
  const page = renderPage(<LoginForm />, {
    settings: { security: { enable_captcha_login: true } },
    replies: [replyTo(captchaApi.get, () => captchaReply), replyTo(userApi.login, loginOutput)],
  });
  await fillIn(page, 'a-long-password');
  await page.userInput.click(submit());
  await screen.findByText('请输入验证码');
  const answer = screen.getByLabelText<HTMLInputElement>('验证码');
  await page.userInput.type(answer, '12345');
  await page.userInput.click(submit());
  await screen.findByText('验证码图片还没有加载，请稍候再提交');
  expect([answer.value, page.api.inputsOf(userApi.login)]).toEqual(['12345', []]);
  sendCaptcha({ enable: true, id: 'late', type: 'digit', captcha: 'data:,late', work_bits: 0 });
  await screen.findByAltText('验证码图片');
  await page.userInput.click(submit());
  await screen.findByText('登录成功');
  expect(page.api.inputsOf(userApi.login)).toMatchObject([{ captcha: '12345', captcha_id: 'late' }]);
});

it('the login form asks for the two-factor code, sends name and password with it, and goes back on request', async () => {
  const page = renderPage(<LoginForm />, {
    replies: [numberedCaptchas(), replyTo(userApi.login, userErrors.codeNeeded())],
  });
  await fillIn(page, 'a-long-password');
  await page.userInput.type(await screen.findByLabelText('验证码'), '11111');
  await page.userInput.click(submit());
  const code = await screen.findByLabelText('两步验证码');
  expect(document.activeElement).toBe(code);
  expect(screen.getByRole('alert').textContent).toBe('');
  await page.userInput.click(screen.getByRole('button', { name: '返回上一步' }));
  expect(screen.getByLabelText<HTMLInputElement>('用户名').value).toBe('读者');
  await page.userInput.type(screen.getByLabelText('验证码'), '22222');
  await page.userInput.click(submit());
  await page.userInput.type(await screen.findByLabelText('两步验证码'), ' 123456 ');
  await page.userInput.type(await screen.findByLabelText('验证码'), '33333');
  page.api.set(replyTo(userApi.login, loginOutput));
  await page.userInput.click(submit());
  await screen.findByText('登录成功');
  const [, , last] = page.api.inputsOf(userApi.login);
  expect(last).toMatchObject({ username: '读者', password: 'a-long-password', code: '123456' });
  expect(last?.captcha_id).toBe('captcha-3');
});

it.each([
  ['权限服务正在维护', new AppError('access.down', 503, '权限服务正在维护')],
  ['获取权限失败', failureWithoutMessage()],
])('a login whose permissions cannot be fetched succeeds and shows the message %s', async (message, failure) => {
  const page = renderPage(<LoginForm />, {
    path: '/login',
    replies: [noCaptcha, replyTo(userApi.login, loginOutput), replyTo(myPermissionsApi.mine, failure)],
  });
  await fillIn(page, 'a-long-password');
  await page.userInput.click(submit());
  await screen.findByText(message);
  await waitFor(() => expect(page.address()).toBe('/'));
  expect(useSession.getState()).toMatchObject({ token: 'new token', pages: [] });
});
