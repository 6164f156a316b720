import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLoadingBarProgress, type LoadingBarState, loadingBarPercent } from './loading-bar-progress.ts';

let states: LoadingBarState[] = [];
let progress: ReturnType<typeof createLoadingBarProgress>;
beforeEach(() => {
  vi.useFakeTimers();
  states = [];
  progress = createLoadingBarProgress((state) => states.push(state));
});
afterEach(() => {
  progress.dispose();
  vi.useRealTimers();
});

describe('the loading bar', () => {
  it('shows nothing when the work ends within 200 ms', () => {
    progress.start();
    vi.advanceTimersByTime(199);
    progress.finish(false);
    vi.advanceTimersByTime(10_000);
    expect(states).toEqual([]);
  });
  it('starts after 200 ms, advances for about 5 seconds and does not reach 100 % by itself', () => {
    progress.start();
    vi.advanceTimersByTime(200);
    expect(states.at(-1)?.phase).toBe('running');
    const first = states.at(-1)?.percent ?? 0;
    vi.advanceTimersByTime(5000);
    const later = states.at(-1)?.percent ?? 0;
    expect(first).toBeLessThan(10);
    expect(later).toBeGreaterThan(85);
    vi.advanceTimersByTime(60_000);
    expect(states.at(-1)?.percent).toBeLessThan(100);
    const percents = states.map(({ percent }) => percent);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
  });
  it('shows 100 % when the work is done, then hides', () => {
    progress.start();
    vi.advanceTimersByTime(1000);
    progress.finish(false);
    expect(states.at(-1)).toEqual({ phase: 'done', percent: 100 });
    vi.advanceTimersByTime(1000);
    expect(states.at(-1)).toEqual({ phase: 'idle', percent: 0 });
  });
  it('shows a failure even when the work ends within 200 ms', () => {
    progress.start();
    progress.finish(true);
    expect(states).toEqual([{ phase: 'failed', percent: 100 }]);
  });
  it('hides after a failure even when short work follows immediately', () => {
    progress.start();
    progress.finish(true);
    progress.start();
    vi.advanceTimersByTime(100);
    progress.finish(false);
    vi.advanceTimersByTime(1000);
    expect(states.at(-1)).toEqual({ phase: 'idle', percent: 0 });
  });
  it('continues without a jump when more work starts meanwhile', () => {
    progress.start();
    vi.advanceTimersByTime(1000);
    const before = states.at(-1)?.percent ?? 0;
    progress.start();
    vi.advanceTimersByTime(100);
    expect(states.at(-1)?.percent).toBeGreaterThan(before);
  });
  it('moves fast at first and slowly towards the end', () => {
    expect(loadingBarPercent(1000) - loadingBarPercent(0)).toBeGreaterThan(
      loadingBarPercent(5000) - loadingBarPercent(4000),
    );
  });
});
