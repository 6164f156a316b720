import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '#testing/web/render-page.tsx';
import { EmailCodeField } from './email-code-field.tsx';

const settings = { email: { enable: true } };
const button = (name: string | RegExp) => screen.getByRole('button', { name });

afterEach(() => {
  vi.useRealTimers();
});

it('the button for a mailed code counts down 60 seconds after sending and then sends again', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const send = vi.fn(async () => true);
  const { userInput } = renderPage(<EmailCodeField name="code" send={send} />, { settings });
  await userInput.click(button('获取验证码'));
  await waitFor(() => expect(button('60 秒后可重发').hasAttribute('disabled')).toBe(true));
  act(() => vi.advanceTimersByTime(59_000));
  expect(button('1 秒后可重发').hasAttribute('disabled')).toBe(true);
  act(() => vi.advanceTimersByTime(1500));
  expect(button('重新获取').hasAttribute('disabled')).toBe(false);
  await userInput.click(button('重新获取'));
  expect(send).toHaveBeenCalledTimes(2);
  await waitFor(() => button('60 秒后可重发'));
});

it('the button for a mailed code stays enabled when the code was not sent', async () => {
  const send = vi.fn(async () => false);
  const { userInput } = renderPage(<EmailCodeField name="code" send={send} />, { settings });
  await userInput.click(button('获取验证码'));
  await waitFor(() => expect(button('获取验证码').hasAttribute('disabled')).toBe(false));
  expect(send).toHaveBeenCalledOnce();
});
