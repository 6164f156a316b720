import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { noCaptcha } from '#testing/web/captcha-replies.ts';
import { renderPage } from '#testing/web/render-page.tsx';
import { userApi, userErrors } from '../account.contract.ts';
import { ResetPasswordForm } from './reset-password-form.tsx';

const page = () => <ResetPasswordForm email="reader@mail.example" token="token-of-the-mail" />;
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const submit = () => screen.getByRole('button', { name: '立即提交' });

it('the form for a new password validates length and repetition and does not submit invalid values', async () => {
  const { userInput, fill, api } = renderPage(page(), { replies: [noCaptcha] });
  expect([field('电子邮箱').value, field('电子邮箱').readOnly]).toEqual(['reader@mail.example', true]);
  await userInput.click(submit());
  await screen.findByText('请输入新密码');
  await screen.findByText('请再次输入新密码');
  expect(document.activeElement).toBe(field('账户密码'));
  await fill(field('账户密码'), 'short');
  await userInput.tab();
  await screen.findByText('新密码至少 8 位');
  await fill(field('账户密码'), 'another-password');
  await fill(field('确认密码'), 'something-else');
  await userInput.click(submit());
  await screen.findByText('两次输入的密码不一致');
  expect(api.inputsOf(userApi.resetPassword)).toEqual([]);
});

it.each(['账户密码', '确认密码'])(
  'the form for a new password hides the message of a mismatch as soon as the field %s is corrected',
  async (label) => {
    const { userInput, fill } = renderPage(page(), { replies: [noCaptcha] });
    await fill(field('账户密码'), 'another-password');
    await fill(field('确认密码'), 'another-password');
    await fill(field(label), 'something-else');
    await userInput.click(submit());
    await screen.findByText('两次输入的密码不一致');
    await fill(field(label), 'another-password');
    expect(screen.queryByText('两次输入的密码不一致')).toBeNull();
    expect(field('确认密码').hasAttribute('aria-invalid')).toBe(false);
  },
);

it('the form for a new password shows the message of a refusal, or 请求失败 without one, and opens the login page on success', async () => {
  const { userInput, api, address } = renderPage(page(), {
    path: '/findpassword?token=token-of-the-mail&email=reader%40mail.example',
    replies: [noCaptcha, replyTo(userApi.resetPassword, userErrors.badToken())],
  });
  await userInput.type(field('账户密码'), 'another-password');
  await userInput.type(field('确认密码'), 'another-password{Enter}');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('重置链接无效或已过期，请重新申请'));
  api.set(replyTo(userApi.resetPassword, failureWithoutMessage()));
  await userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('请求失败'));
  api.set(replyTo(userApi.resetPassword, {}));
  await userInput.click(submit());
  await screen.findByText('设置成功，请用新密码重新登录');
  await waitFor(() => expect(address()).toBe('/login'));
  expect(api.inputsOf(userApi.resetPassword)[2]).toEqual({
    email: 'reader@mail.example',
    token: 'token-of-the-mail',
    password: 'another-password',
  });
});
