import { expect, test } from 'vitest';
import { lastPageWhenPageIsEmpty } from './last-page-redirect.ts';

const thirdPage = { page: 3, size: 10 };

test('lastPageWhenPageIsEmpty returns the last page with rows for an empty page behind it', () => {
  expect(lastPageWhenPageIsEmpty({ total: 20, count: 0 }, thirdPage)).toBe(2);
  expect(lastPageWhenPageIsEmpty({ total: 3, count: 0 }, thirdPage)).toBe(1);
});

test('lastPageWhenPageIsEmpty returns null for a page with rows, an empty list or a list that is not loaded', () => {
  expect(lastPageWhenPageIsEmpty({ total: 20, count: 4 }, thirdPage)).toBeNull();
  expect(lastPageWhenPageIsEmpty({ total: 0, count: 0 }, thirdPage)).toBeNull();
  expect(lastPageWhenPageIsEmpty(undefined, thirdPage)).toBeNull();
  // Rows were deleted while the server counted them.
  expect(lastPageWhenPageIsEmpty({ total: 21, count: 0 }, thirdPage)).toBeNull();
});
