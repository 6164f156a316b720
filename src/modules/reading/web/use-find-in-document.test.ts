import { expect, test } from 'vitest';
import { firstHitIndexFrom, locateHit } from './use-find-in-document.ts';

const hits = [
  { page: 2, count: 3, snippet: '' },
  { page: 9, count: 1, snippet: '' },
];

test('locateHit maps a hit number over all pages to its page and index', () => {
  expect([0, 2, 3].map((at) => locateHit(hits, at))).toEqual([
    { page: 2, index: 0 },
    { page: 2, index: 2 },
    { page: 9, index: 0 },
  ]);
  expect([-1, 4].map((at) => locateHit(hits, at))).toEqual([null, null]);
});

test('firstHitIndexFrom returns the first hit from the current page on, or the first of all', () => {
  expect([1, 2, 3, 10].map((page) => firstHitIndexFrom(hits, page))).toEqual([0, 0, 3, 0]);
});
