import { expect, test } from 'vitest';
import { toIsoInstant } from './columns.ts';

test.each([
  ['2026-03-01 08:00:00+00', '2026-03-01T08:00:00.000Z'],
  ['2026-03-01 08:00:00.5+00', '2026-03-01T08:00:00.500Z'],
  ['2026-03-01 08:00:00.123999+00', '2026-03-01T08:00:00.123Z'],
  ['2026-03-01 16:00:00.12+08', '2026-03-01T08:00:00.120Z'],
  ['2026-03-01 13:30:00+05:30', '2026-03-01T08:00:00.000Z'],
])('toIsoInstant converts %s of PostgreSQL to %s', (text, instant) => {
  expect(toIsoInstant(text)).toBe(instant);
});
