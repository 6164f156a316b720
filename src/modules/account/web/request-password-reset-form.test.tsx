import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { captchaApi, captchaErrors } from '#modules/captcha/captcha.contract.ts';
import { AppError } from '#platform/contract/errors.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { noCaptcha, numberedCaptchas } from '#testing/web/captcha-replies.ts';
import { renderPage } from '#testing/web/render-page.tsx';
import { userApi } from '../account.contract.ts';
import { RequestPasswordResetForm } from './request-password-reset-form.tsx';

const settings = { email: { enable: true } };
const email = () => screen.getByLabelText<HTMLInputElement>('电子邮箱');
const submit = () => screen.getByRole('button', { name: '立即提交' });

it('the form that requests a password reset validates the address and shows the message of a refusal, or 请求失败 without one', async () => {
  const { userInput, fill, api } = renderPage(<RequestPasswordResetForm />, { settings, replies: [noCaptcha] });
  await userInput.click(submit());
  await screen.findByText('请输入电子邮箱');
  await fill(email(), 'not an address');
  await userInput.click(submit());
  await screen.findByText('请输入正确的电子邮箱');
  await fill(email(), 'unknown@mail.example');
  expect(api.inputsOf(userApi.requestPasswordReset)).toEqual([]);
  api.set(replyTo(userApi.requestPasswordReset, new AppError('mail.down', 503, '邮件服务正在维护')));
  await userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('邮件服务正在维护'));
  api.set(replyTo(userApi.requestPasswordReset, failureWithoutMessage()));
  await userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('请求失败'));
  api.set(replyTo(userApi.requestPasswordReset, {}));
  await userInput.click(submit());
  await screen.findByText('提交成功，请查看您的邮箱');
  expect([email().readOnly, submit().hasAttribute('disabled')]).toEqual([true, true]);
});

it('the form that requests a password reset sends the captcha and shows another one after a refusal', async () => {
  const { userInput, api } = renderPage(<RequestPasswordResetForm />, {
    settings: { ...settings, security: { enable_captcha_find_password: true } },
    replies: [numberedCaptchas(), replyTo(userApi.requestPasswordReset, captchaErrors.wrong())],
  });
  await userInput.type(email(), 'reader@mail.example');
  await userInput.click(submit());
  await screen.findByText('请输入验证码');
  await screen.findByAltText('验证码图片');
  await userInput.type(screen.getByLabelText('验证码'), '00000');
  await userInput.click(submit());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('验证码错误'));
  await waitFor(() => expect(screen.getByAltText('验证码图片').getAttribute('src')).toBe('data:,2'));
  expect(screen.getByLabelText<HTMLInputElement>('验证码').value).toBe('');
  expect(api.inputsOf(userApi.requestPasswordReset)).toEqual([
    { email: 'reader@mail.example', captcha: '00000', captcha_id: 'captcha-1' },
  ]);
});

it('the form that requests a password reset asks to wait for a captcha that is still being loaded, and sends no request', async () => {
  const { userInput, api } = renderPage(<RequestPasswordResetForm />, {
    settings: { ...settings, security: { enable_captcha_find_password: true } },
    replies: [replyTo(captchaApi.get, () => new Promise(() => {}))],
  });
  await userInput.type(email(), 'reader@mail.example');
  await userInput.type(screen.getByLabelText('验证码'), '00000{Enter}');
  await screen.findByText('验证码图片还没有加载，请稍候再提交');
  expect(api.inputsOf(userApi.requestPasswordReset)).toEqual([]);
});

it('the form that requests a password reset never sends an answer without the captcha that it belongs to', async () => {
  const { api } = renderPage(<RequestPasswordResetForm />, {
    settings: { ...settings, security: { enable_captcha_find_password: true } },
    replies: [numberedCaptchas(), replyTo(userApi.requestPasswordReset, {})],
  });
  fireEvent.change(email(), { target: { value: 'reader@mail.example' } });
  fireEvent.change(screen.getByLabelText('验证码'), { target: { value: '00000' } });
  const sentRequests = () => api.inputsOf(userApi.requestPasswordReset);
  await waitFor(() => {
    fireEvent.click(submit());
    expect(sentRequests()).not.toEqual([]);
  });
  expect(sentRequests()[0]).toMatchObject({ captcha: '00000', captcha_id: 'captcha-1' });
});

it('the form that requests a password reset refers to the administrator when the site cannot send mails', async () => {
  const { userInput } = renderPage(<RequestPasswordResetForm />, {
    settings: { footer: { contact: '/article/contact' } },
    replies: [noCaptcha, replyTo(userApi.requestPasswordReset, {})],
  });
  expect(screen.getByRole('link', { name: '请联系管理员' }).getAttribute('href')).toBe('/article/contact');
  await userInput.type(email(), 'reader@mail.example{Enter}');
  await screen.findByText('提交成功，请联系管理员取得重设密码的链接');
});
