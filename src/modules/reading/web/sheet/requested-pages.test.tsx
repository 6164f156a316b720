import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useRequestedPages } from './requested-pages.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const renderPages = (first: number) => {
  const { result, rerender } = renderHook((page: number) => useRequestedPages({ first: page, last: page }), {
    initialProps: first,
  });
  return {
    showPage: (page: number) => rerender(page),
    requestedPage: () => result.current.first,
    wait: (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds)),
  };
};

test('pages that are scrolled into view are requested immediately', () => {
  const { showPage, requestedPage, wait } = renderPages(1);
  for (const page of [2, 3, 5]) {
    showPage(page);
    expect(requestedPage()).toBe(page);
    wait(10);
  }
});

test('pages that are scrolled past are not requested, and the page where the scrolling pauses is', () => {
  const { showPage, requestedPage, wait } = renderPages(1);
  for (const page of [100, 300, 900, 1_500]) {
    showPage(page);
    wait(60);
    expect(requestedPage()).toBe(1);
  }
  wait(120);
  expect(requestedPage()).toBe(1_500);
});
