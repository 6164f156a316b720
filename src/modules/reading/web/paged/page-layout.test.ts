import { describe, expect, test } from 'vitest';
import { heightOf, layPages, topOf, turnFrom } from './page-layout.ts';

const sizes = [
  { page: 1, width: 1000, height: 1400 },
  { page: 4, width: 1000, height: 500 },
];

describe('pages one below the other', () => {
  const layout = layPages(sizes, 5);

  test('each has its own size and begins where the one above ends', () => {
    expect([1, 3, 4, 5].map(layout.ratioOf)).toEqual([1.4, 1.4, 0.5, 0.5]);
    expect([0, 1, 3, 4].map((row) => Math.round(topOf(layout, row, 100)))).toEqual([16, 172, 484, 550]);
    const { widths, pixels } = heightOf(layout);
    expect(Math.round(widths * 100 + pixels)).toBe(550 + 50 + 16);
  });

  test.each([
    [0, 0],
    [171, 0],
    [172, 1],
    [500, 3],
    [100_000, 4],
  ])('at height %i lies row %i', (y, row) => {
    expect(layout.rowAt(y, 100)).toBe(row);
  });
});

test('turned by a quarter a page is as high as it was wide', () => {
  expect(layPages(sizes, 5, { rotation: 90 }).ratioOf(4)).toBe(2);
  expect(layPages(sizes, 5, { rotation: 180 }).ratioOf(4)).toBe(0.5);
});

test('two by two the first page stands alone, as in a book', () => {
  const layout = layPages(sizes, 6, { isDouble: true });
  expect([0, 1, 2, 3].map(layout.pagesOf)).toEqual([[1], [2, 3], [4, 5], [6]]);
  expect([1, 2, 3, 6].map(layout.sideOf)).toEqual(['alone', 'left', 'right', 'alone']);
  expect([1, 2, 3, 4].map(layout.rowOf)).toEqual([0, 1, 1, 2]);
});

test('turning goes to the next row, and past the last one to no page', () => {
  const double = layPages(sizes, 6, { isDouble: true });
  expect([1, 2, 3, 4, 6].map((page) => turnFrom(double, page, 1))).toEqual([2, 4, 4, 6, 7]);
  expect([6, 3, 2, 1].map((page) => turnFrom(double, page, -1))).toEqual([4, 1, 1, 0]);
  const single = layPages(sizes, 5);
  expect([turnFrom(single, 1, 1), turnFrom(single, 5, 1), turnFrom(single, 1, -1)]).toEqual([2, 6, 0]);
});

test('without any page there is nothing to lay out', () => {
  expect(layPages([], 0).rows).toBe(0);
  expect(layPages([], 2).ratioOf(2)).toBe(297 / 210);
});
