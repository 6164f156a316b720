import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BarState, createProgress, crept } from './progress.ts';

let shown: BarState[] = [];
let progress: ReturnType<typeof createProgress>;
beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  progress = createProgress((state) => shown.push(state));
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
    expect(shown).toEqual([]);
  });
  it('starts after 200 ms, creeps for about 5 seconds, and never arrives by itself', () => {
    progress.start();
    vi.advanceTimersByTime(200);
    expect(shown.at(-1)?.phase).toBe('running');
    const first = shown.at(-1)?.percent ?? 0;
    vi.advanceTimersByTime(5000);
    const later = shown.at(-1)?.percent ?? 0;
    expect(first).toBeLessThan(10);
    expect(later).toBeGreaterThan(85);
    vi.advanceTimersByTime(60_000);
    expect(shown.at(-1)?.percent).toBeLessThan(100);
    const percents = shown.map(({ percent }) => percent);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
  });
  it('fills up when the work is done, then leaves', () => {
    progress.start();
    vi.advanceTimersByTime(1000);
    progress.finish(false);
    expect(shown.at(-1)).toEqual({ phase: 'done', percent: 100 });
    vi.advanceTimersByTime(1000);
    expect(shown.at(-1)).toEqual({ phase: 'idle', percent: 0 });
  });
  it('shows a failure, even a quick one', () => {
    progress.start();
    progress.finish(true);
    expect(shown).toEqual([{ phase: 'failed', percent: 100 }]);
  });
  it('leaves after a failure, also when something short follows at once', () => {
    progress.start();
    progress.finish(true);
    progress.start();
    vi.advanceTimersByTime(100);
    progress.finish(false);
    vi.advanceTimersByTime(1000);
    expect(shown.at(-1)).toEqual({ phase: 'idle', percent: 0 });
  });
  it('goes on without a jump when more work begins meanwhile', () => {
    progress.start();
    vi.advanceTimersByTime(1000);
    const before = shown.at(-1)?.percent ?? 0;
    progress.start();
    vi.advanceTimersByTime(100);
    expect(shown.at(-1)?.percent).toBeGreaterThan(before);
  });
  it('moves fast at first and slowly towards the end', () => {
    expect(crept(1000) - crept(0)).toBeGreaterThan(crept(5000) - crept(4000));
  });
});
