import { expect, test } from 'vitest';
import { dayNumberIn } from './site-day.ts';

test.each([
  ['Asia/Shanghai', '2026-03-01T15:59:59.999Z', 20260301],
  ['Asia/Shanghai', '2026-03-01T16:00:00Z', 20260302],
  ['Asia/Shanghai', '2026-12-31T16:00:00Z', 20270101],
  ['UTC', '2024-02-29T23:59:59Z', 20240229],
  // The nights in which daylight saving time begins and ends.
  ['America/New_York', '2026-03-08T04:59:59Z', 20260307],
  ['America/New_York', '2026-03-09T04:00:00Z', 20260309],
  ['America/New_York', '2026-11-02T04:59:59Z', 20261101],
  ['Pacific/Kiritimati', '2026-01-01T10:00:00Z', 20260102],
  ['Asia/Kathmandu', '2026-01-01T18:15:00Z', 20260102],
])('dayNumberIn(%s) of %s is %i', (zone, instant, day) => {
  expect(dayNumberIn(zone, new Date(instant))).toBe(day);
});
