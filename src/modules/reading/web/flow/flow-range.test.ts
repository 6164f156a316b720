import { expect, test } from 'vitest';
import { grow, rangeAt } from './flow-range.ts';

test('reading begins with the sections around a page, no further than may be read', () => {
  expect(rangeAt(1, 200)).toEqual({ first: 1, last: 5 });
  expect(rangeAt(13, 200)).toEqual({ first: 11, last: 15 });
  expect(rangeAt(13, 13)).toEqual({ first: 11, last: 13 });
});

test('sections come at either end and go at the other, so that a long book stays light', () => {
  let range = rangeAt(1, 1000);
  for (let at = 0; at < 100; at++) range = grow(range, 1, 1000);
  expect(range).toEqual({ first: 446, last: 505 });
  expect(grow(range, -1, 1000)).toEqual({ first: 441, last: 500 });
  expect(grow({ first: 1, last: 5 }, -1, 1000)).toEqual({ first: 1, last: 5 });
  expect(grow({ first: 6, last: 12 }, 1, 12)).toEqual({ first: 6, last: 12 });
});
