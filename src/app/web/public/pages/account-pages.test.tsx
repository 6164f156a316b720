import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { noCaptcha } from '#testing/web/captcha-replies.ts';
import { renderPage } from '#testing/web/render-page.tsx';
import FindPassword from './find-password.tsx';
import Login from './login.tsx';
import Register from './register.tsx';

const replies = [noCaptcha];
const openRegistration = { enable_register: true };

it('the login page links to the registration and keeps the page to return to', async () => {
  const { userInput, address } = renderPage(<Login />, {
    path: '/login?redirect=%2Fcategory%2F1',
    settings: { security: openRegistration },
    replies,
  });
  await userInput.click(screen.getByRole('link', { name: '注册账户' }));
  await waitFor(() => expect(address()).toBe('/register?redirect=%2Fcategory%2F1'));
});

it('the login page has no link to a closed registration', () => {
  renderPage(<Login />, { settings: { security: { enable_register: false } }, replies });
  expect(screen.getByRole('link', { name: '找回密码' }).getAttribute('href')).toBe('/findpassword');
  expect(screen.queryByRole('link', { name: '注册账户' })).toBeNull();
});

it('the login page of a closed site shows the statement of the site over the configured picture', () => {
  renderPage(<Login />, {
    settings: {
      security: { ...openRegistration, is_close: true, close_statement: '周日维护，下午回来。' },
      system: { login_background: '/uploads/wall.png' },
    },
    replies,
  });
  screen.getByText('周日维护，下午回来。');
  screen.getByLabelText('用户名');
  expect(screen.queryByRole('link', { name: '注册账户' })).toBeNull();
  expect(screen.getByRole('main').style.backgroundImage).toContain('/uploads/wall.png');
});

it.each([
  ['a closed registration', { enable_register: false }, '网站暂未开放用户注册'],
  ['a closed site', { ...openRegistration, is_close: true }, '网站已关闭，暂时不允许注册'],
])('the registration page of %s shows the reason and no form', (_, security, message) => {
  renderPage(<Register />, { settings: { security }, replies });
  screen.getByText(message);
  expect(screen.queryByLabelText('用户名')).toBeNull();
  screen.getByRole('link', { name: '去登录' });
});

it('the password recovery page without a mailed link asks only for the e-mail address', () => {
  renderPage(<FindPassword />, { path: '/findpassword', replies });
  expect(screen.queryByLabelText('账户密码')).toBeNull();
  screen.getByLabelText('电子邮箱');
});

it('the password recovery page opened by the mailed link shows the address read-only and asks for a new password', () => {
  renderPage(<FindPassword />, { path: '/findpassword?token=t&email=a%40mail.example', replies });
  const email = screen.getByLabelText<HTMLInputElement>('电子邮箱');
  expect([email.value, email.readOnly]).toEqual(['a@mail.example', true]);
  screen.getByLabelText('账户密码');
});
