import { describe, expect, it } from 'vitest';
import { formatDate, formatDateTime, relativeTime } from './date-time.ts';

const now = Date.parse('2026-11-15T00:00:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
const DAY = 86_400;

describe('relativeTime', () => {
  it.each([
    [0, '刚刚'],
    [59, '刚刚'],
    [60, '1 分钟前'],
    [3599, '59 分钟前'],
    [3600, '1 小时前'],
    [DAY - 1, '23 小时前'],
    [DAY, '1 天前'],
    [30 * DAY - 1, '29 天前'],
    [30 * DAY, '1 个月前'],
    [359 * DAY, '11 个月前'],
    [360 * DAY, '1 年前'],
    [800 * DAY, '2 年前'],
  ])('formats a time %i seconds ago as %s', (seconds, text) => {
    expect(relativeTime(ago(seconds), now)).toBe(text);
  });
  it('formats a future time as 刚刚 and a missing or invalid time as a dash', () => {
    expect(relativeTime(ago(-120), now)).toBe('刚刚');
    expect(relativeTime(null, now)).toBe('-');
    expect(relativeTime('', now)).toBe('-');
    expect(relativeTime('nonsense', now)).toBe('-');
  });
});

describe('formatDate and formatDateTime', () => {
  it('use the given time zone, by default Asia/Shanghai', () => {
    expect(formatDateTime('2026-01-02T19:04:05Z')).toBe('2026-01-03 03:04:05');
    expect(formatDateTime('2026-01-02T19:04:05Z', 'UTC')).toBe('2026-01-02 19:04:05');
    expect(formatDate('2026-01-02T19:04:05Z')).toBe('2026-01-03');
    expect(formatDateTime('2026-01-02T16:00:00Z')).toBe('2026-01-03 00:00:00');
  });
  it('return a dash for a missing or invalid time', () => {
    for (const invalidTime of [null, undefined, '', 'nonsense']) {
      expect(formatDateTime(invalidTime)).toBe('-');
      expect(formatDate(invalidTime)).toBe('-');
    }
  });
});
