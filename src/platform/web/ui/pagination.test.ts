import { expect, it } from 'vitest';
import { pagesAround } from './pagination.tsx';

it.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [3, 5, [1, 2, 3, 4, 5]],
  [1, 10, [1, 2, null, 10]],
  [5, 10, [1, null, 4, 5, 6, null, 10]],
  [4, 10, [1, 2, 3, 4, 5, null, 10]],
  [10, 10, [1, null, 9, 10]],
])('page %i of %i shows the ends and the neighbours', (page, last, shown) => {
  expect(pagesAround(page, last)).toEqual(shown);
});
