import { expect, test } from 'vitest';
import { lastPageIfBeyond } from './last-page-redirect.ts';

const thirdPage = { page: 3, size: 10 };

test('lastPageIfBeyond returns the last page with rows for an empty page behind it', () => {
  expect(lastPageIfBeyond({ total: 20, count: 0 }, thirdPage)).toBe(2);
  expect(lastPageIfBeyond({ total: 3, count: 0 }, thirdPage)).toBe(1);
});

test('lastPageIfBeyond returns null for a page with rows, an empty list or a list that is not loaded', () => {
  expect(lastPageIfBeyond({ total: 20, count: 4 }, thirdPage)).toBeNull();
  expect(lastPageIfBeyond({ total: 0, count: 0 }, thirdPage)).toBeNull();
  expect(lastPageIfBeyond(undefined, thirdPage)).toBeNull();
  // Rows were deleted while the server counted them.
  expect(lastPageIfBeyond({ total: 21, count: 0 }, thirdPage)).toBeNull();
});
