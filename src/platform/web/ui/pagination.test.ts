import { expect, it } from 'vitest';
import { pagesAround } from './pagination.tsx';

it.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [3, 5, [1, 2, 3, 4, 5]],
  [1, 10, [1, 2, 'after', 10]],
  [5, 10, [1, 'before', 4, 5, 6, 'after', 10]],
  [4, 10, [1, 2, 3, 4, 5, 'after', 10]],
  [10, 10, [1, 'before', 9, 10]],
])('page %i of %i shows the ends and the neighbours', (page, last, shown) => {
  expect(pagesAround(page, last)).toEqual(shown);
});
