import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { userErrors } from '#modules/account/account.contract.ts';
import { useSession } from '#modules/account/web/session-store.ts';
import { captchaErrors } from '#modules/captcha/captcha.contract.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { noCaptcha, numberedCaptchas } from '#testing/web/captcha-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { registrationApi } from '../registration.contract.ts';
import { RegisterForm } from './register-form.tsx';

const loginOutput = { user: testUser({ username: '新读者' }), token: 'new token' };
const PASSWORD = 'a-long-password';
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const submit = () => screen.getByRole('button', { name: '注册' });
const pictureSource = () => screen.getByAltText('验证码图片').getAttribute('src');

async function fillIn({ fill }: Pick<ReturnType<typeof renderPage>, 'fill'>) {
  await fill(field('邮箱'), 'new@mail.example');
  await fill(field('用户名'), '新读者');
  await fill(field('登录密码'), PASSWORD);
  await fill(field('确认密码'), PASSWORD);
}

it('the registration form shows the problem of a field on blur and does not submit invalid values', async () => {
  const { userInput, fill, api } = renderPage(<RegisterForm />, { replies: [noCaptcha] });
  expect(screen.queryByAltText('验证码图片')).toBeNull();
  await userInput.click(field('邮箱'));
  await userInput.tab();
  await screen.findByText('请输入您的邮箱地址，以便忘记密码时找回');
  await userInput.tab();
  await screen.findByText('请输入您用于登录的用户名');
  await userInput.tab();
  await screen.findByText('请输入您的登录密码');
  await fill(field('邮箱'), 'not an address');
  await screen.findByText('请再次输入您的登录密码');
  await fill(field('用户名'), '两字');
  await screen.findByText('请输入正确的邮箱地址');
  await fill(field('登录密码'), PASSWORD);
  await screen.findByText('用户名长度在 3 到 32 个字符');
  await fill(field('确认密码'), 'different');
  await userInput.click(submit());
  await screen.findByText('两次输入的密码不一致');
  expect(document.activeElement).toBe(field('邮箱'));
  expect(field('邮箱').getAttribute('aria-invalid')).toBe('true');
  expect(api.inputsOf(registrationApi.register)).toEqual([]);
});

it.each(['登录密码', '确认密码'])(
  'the registration form hides the message of a mismatch as soon as the field %s is corrected',
  async (label) => {
    const page = renderPage(<RegisterForm />, { replies: [noCaptcha] });
    await fillIn(page);
    await page.fill(field(label), 'something-else');
    await page.userInput.click(submit());
    await screen.findByText('两次输入的密码不一致');
    await page.fill(field(label), PASSWORD);
    expect(screen.queryByText('两次输入的密码不一致')).toBeNull();
    expect(field('确认密码').hasAttribute('aria-invalid')).toBe(false);
  },
);

it('the registration form shows the message of a refusal, or 注册失败 without one', async () => {
  const page = renderPage(<RegisterForm />, {
    replies: [noCaptcha, replyTo(registrationApi.register, userErrors.exists())],
  });
  await fillIn(page);
  await page.userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('用户名已存在'));
  page.api.set(replyTo(registrationApi.register, failureWithoutMessage()));
  await page.userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('注册失败'));
  expect(field('用户名').value).toBe('新读者');
});

it('the registration form logs the new user in and opens the page of the redirect', async () => {
  const page = renderPage(<RegisterForm />, {
    path: '/register?redirect=%2Farticle%2Fabout',
    replies: [noCaptcha, replyTo(registrationApi.register, loginOutput)],
  });
  await fillIn(page);
  await page.userInput.click(submit());
  await screen.findByText('注册成功');
  await waitFor(() => expect(page.address()).toBe('/article/about'));
  expect(useSession.getState()).toMatchObject({ token: 'new token', user: { username: '新读者' } });
});

it('the captcha of the registration form is replaced by a click, by the keyboard and after a refusal', async () => {
  const page = renderPage(<RegisterForm />, {
    replies: [numberedCaptchas(), replyTo(registrationApi.register, captchaErrors.wrong())],
  });
  await screen.findByAltText('验证码图片');
  const button = screen.getByRole('button', { name: '点击可刷新验证码' });
  await page.userInput.click(button);
  await waitFor(() => expect(pictureSource()).toBe('data:,2'));
  await page.userInput.click(field('验证码'));
  await page.userInput.tab();
  expect(document.activeElement).toBe(button);
  await page.userInput.keyboard('{Enter}');
  await waitFor(() => expect(pictureSource()).toBe('data:,3'));
  await fillIn(page);
  await page.userInput.click(submit());
  await screen.findByText('请输入验证码');
  await page.userInput.type(field('验证码'), 'no');
  await page.userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('验证码错误'));
  await waitFor(() => expect(pictureSource()).toBe('data:,4'));
  expect([field('用户名').value, field('验证码').value]).toEqual(['新读者', '']);
  expect(page.api.inputsOf(registrationApi.register)).toMatchObject([{ captcha_id: 'captcha-3' }]);
});

it('the registration form requires the mailed code, and the captcha only for requesting the code', async () => {
  const page = renderPage(<RegisterForm />, {
    settings: {
      security: { enable_verify_register_email: true, enable_captcha_register: true },
      email: { enable: true },
    },
    replies: [
      numberedCaptchas(),
      replyTo(registrationApi.emailCode, captchaErrors.wrong()),
      replyTo(registrationApi.register, userErrors.wrongEmailCode()),
    ],
  });
  const requestCode = () => page.userInput.click(screen.getByRole('button', { name: '获取验证码' }));
  await requestCode();
  await screen.findByText('请输入您的邮箱地址，以便忘记密码时找回');
  await screen.findByText('请输入验证码');
  expect(page.api.inputsOf(registrationApi.emailCode)).toEqual([]);
  await fillIn(page);
  await page.userInput.click(submit());
  await screen.findByText('请输入邮箱验证码');
  await page.userInput.type(field('验证码'), 'no');
  await requestCode();
  await waitFor(() => expect(field('验证码').getAttribute('aria-invalid')).toBe('true'));
  page.api.set(replyTo(registrationApi.emailCode, {}));
  await page.userInput.type(field('验证码'), '12345');
  await requestCode();
  await screen.findByText('验证码已寄出，请查看您的邮箱');
  const resendButton = await screen.findByRole('button', { name: /^\d+ 秒后可重发$/ });
  expect(resendButton.hasAttribute('disabled')).toBe(true);
  await page.userInput.type(field('邮箱验证码'), '000000');
  await page.userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('邮箱验证码错误或已过期'));
  expect(field('邮箱验证码').getAttribute('aria-invalid')).toBe('true');
  expect(page.api.inputsOf(registrationApi.register)).toEqual([
    { email: 'new@mail.example', username: '新读者', password: PASSWORD, code: '000000' },
  ]);
});

it('the registration form refers to the administrator for the code when the site cannot send mails', async () => {
  renderPage(<RegisterForm />, {
    settings: { security: { enable_verify_register_email: true } },
    replies: [noCaptcha],
  });
  await screen.findByText('本站还不能寄出邮件，请联系管理员取得验证码');
});
