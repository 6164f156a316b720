import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#platform/contract/errors.ts';
import { dismissToast, toast, useToasts } from './toast.ts';

const texts = () => useToasts.getState().toasts.map(({ kind, text }) => [kind, text]);
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

describe('toast', () => {
  it('disappears after 4 seconds or when dismissed', () => {
    toast.success('登录成功');
    toast.info('请稍候');
    const [first] = useToasts.getState().toasts;
    dismissToast(first?.id ?? 0);
    expect(texts()).toEqual([['info', '请稍候']]);
    vi.advanceTimersByTime(4000);
    expect(texts()).toEqual([]);
  });
  it('of a failure shows the message of the server, otherwise the fallback', () => {
    toast.failure(new AppError('a.b', 400, '用户名或密码错误'), '登录失败');
    toast.failure(new AppError('a.b', 502, ''), '登录失败');
    expect(texts()).toEqual([
      ['error', '用户名或密码错误'],
      ['error', '登录失败'],
    ]);
  });
  it('shows at most three messages, the newest ones', () => {
    for (const text of ['一', '二', '三', '四']) toast.info(text);
    expect(texts().map(([, text]) => text)).toEqual(['二', '三', '四']);
  });
});
