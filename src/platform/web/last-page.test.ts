import { expect, test } from 'vitest';
import { pageInstead } from './last-page.ts';

const third = { page: 3, size: 10 };

test('a page that was emptied leads to the last one there is', () => {
  expect(pageInstead({ total: 20, count: 0 }, third)).toBe(2);
  expect(pageInstead({ total: 3, count: 0 }, third)).toBe(1);
});

test('a page with something on it, or of an empty list, or not there yet, stays', () => {
  expect(pageInstead({ total: 20, count: 4 }, third)).toBeNull();
  expect(pageInstead({ total: 0, count: 0 }, third)).toBeNull();
  expect(pageInstead(undefined, third)).toBeNull();
  // Rows that went while they were counted.
  expect(pageInstead({ total: 21, count: 0 }, third)).toBeNull();
});
