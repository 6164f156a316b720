import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { settleAfterMinimumDisplay } from './minimum-display.ts';
import { useMinimumDisplay } from './use-minimum-display.ts';
import { useResultAfterMinimumDisplay } from './use-query-with-minimum-loading.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return () => vi.useRealTimers();
});
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('useMinimumDisplay', () => {
  const render = (isFetching: boolean) => renderHook(useMinimumDisplay, { initialProps: isFetching });

  it('displays nothing when nothing is fetched', () => {
    expect(render(false).result.current).toBe(false);
  });

  it('displays a fetch that takes 50 ms for 200 ms', async () => {
    const { result, rerender } = render(true);
    await advance(50);
    rerender(false);
    await advance(149);
    expect(result.current).toBe(true);
    await advance(1);
    expect(result.current).toBe(false);
  });

  it('ends with a fetch that takes longer than 200 ms', async () => {
    const { result, rerender } = render(true);
    await advance(201);
    expect(result.current).toBe(true);
    rerender(false);
    await advance(0);
    expect(result.current).toBe(false);
  });

  it('displays a second fetch for 200 ms of its own', async () => {
    const { result, rerender } = render(true);
    await advance(300);
    rerender(false);
    await advance(0);
    rerender(true);
    await advance(10);
    rerender(false);
    await advance(189);
    expect(result.current).toBe(true);
    await advance(1);
    expect(result.current).toBe(false);
  });
});

describe('useResultAfterMinimumDisplay', () => {
  const pendingQuery = { data: undefined, isLoading: true, isFetching: true, isError: false };
  const success = { data: 'answer', isLoading: false, isFetching: false, isError: false };
  const failure = { data: undefined, isLoading: false, isFetching: false, isError: true };
  const render = (result: typeof pendingQuery | typeof success | typeof failure) =>
    renderHook(useResultAfterMinimumDisplay<typeof result>, { initialProps: result });

  it.each([
    ['result', success],
    ['error', failure],
  ])('withholds the %s of a first fetch for 200 ms', async (_kind, answer) => {
    const { result, rerender } = render(pendingQuery);
    await advance(20);
    rerender(answer);
    await advance(179);
    expect(result.current).toMatchObject(pendingQuery);
    await advance(1);
    expect(result.current).toBe(answer);
  });

  it('returns a cached result immediately, also while it is fetched again', () => {
    const { result, rerender } = render(success);
    expect(result.current).toBe(success);
    const refetchResult = { ...success, isFetching: true };
    rerender(refetchResult);
    expect(result.current).toBe(refetchResult);
  });
});

describe('settleAfterMinimumDisplay', () => {
  it.each([
    ['resolves', () => Promise.resolve('answer'), 'answer'],
    ['rejects', () => Promise.reject(new Error('failure')), 'failure'],
  ])('%s after 200 ms', async (_kind, request, text) => {
    const onSettled = vi.fn();
    void settleAfterMinimumDisplay(request()).then(onSettled, ({ message }: Error) => onSettled(message));
    await vi.advanceTimersByTimeAsync(199);
    expect(onSettled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onSettled).toHaveBeenCalledExactlyOnceWith(text);
  });
});
