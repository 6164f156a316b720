import { expect, it } from 'vitest';
import { copyrightYears } from './footer.tsx';

it.each([
  ['2019', '2019 - 2026'],
  ['2026', '2026'],
  ['', '2026'],
  ['2030', '2026'],
  ['abc', '2026'],
  ['0', '2026'],
])('copyrightYears returns for the start year %j the text %s', (start, text) => {
  expect(copyrightYears(start, 2026)).toBe(text);
});
