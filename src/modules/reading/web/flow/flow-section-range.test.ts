import { expect, test } from 'vitest';
import { extendRange, sectionRangeAt } from './flow-section-range.ts';

test('sectionRangeAt returns the sections around a page, limited to readable ones', () => {
  expect(sectionRangeAt(1, 200)).toEqual({ first: 1, last: 5 });
  expect(sectionRangeAt(13, 200)).toEqual({ first: 11, last: 15 });
  expect(sectionRangeAt(13, 13)).toEqual({ first: 11, last: 13 });
});

test('extendRange adds sections at one end and drops distant ones at the other', () => {
  let range = sectionRangeAt(1, 1000);
  for (let at = 0; at < 100; at++) range = extendRange(range, 1, 1000);
  expect(range).toEqual({ first: 446, last: 505 });
  expect(extendRange(range, -1, 1000)).toEqual({ first: 441, last: 500 });
  expect(extendRange({ first: 1, last: 5 }, -1, 1000)).toEqual({ first: 1, last: 5 });
  expect(extendRange({ first: 6, last: 12 }, 1, 12)).toEqual({ first: 6, last: 12 });
});
