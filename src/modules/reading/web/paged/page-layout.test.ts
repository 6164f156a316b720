import { describe, expect, test } from 'vitest';
import { layOutPages, pageAtRowDistance, rowTopPixels, totalColumnHeight } from './page-layout.ts';

const sizes = [
  { page: 1, width: 1000, height: 1400 },
  { page: 4, width: 1000, height: 500 },
];

describe('layOutPages with single pages', () => {
  const layout = layOutPages(sizes, 5);

  test('keeps the size of each page and places it below the previous one', () => {
    expect([1, 3, 4, 5].map(layout.ratioOf)).toEqual([1.4, 1.4, 0.5, 0.5]);
    expect([0, 1, 3, 4].map((row) => Math.round(rowTopPixels(layout, row, 100)))).toEqual([16, 172, 484, 550]);
    const { widths, pixels } = totalColumnHeight(layout);
    expect(Math.round(widths * 100 + pixels)).toBe(550 + 50 + 16);
  });

  test.each([
    [0, 0],
    [171, 0],
    [172, 1],
    [500, 3],
    [100_000, 4],
  ])('finds at height %i the row %i', (y, row) => {
    expect(layout.rowAt(y, 100)).toBe(row);
  });
});

test('layOutPages swaps width and height of a page rotated by 90 degrees', () => {
  expect(layOutPages(sizes, 5, { rotation: 90 }).ratioOf(4)).toBe(2);
  expect(layOutPages(sizes, 5, { rotation: 180 }).ratioOf(4)).toBe(0.5);
});

test('layOutPages with double pages places the first page alone', () => {
  const layout = layOutPages(sizes, 6, { isDouble: true });
  expect([0, 1, 2, 3].map(layout.pagesOf)).toEqual([[1], [2, 3], [4, 5], [6]]);
  expect([1, 2, 3, 6].map(layout.sideOf)).toEqual(['alone', 'left', 'right', 'alone']);
  expect([1, 2, 3, 4].map(layout.rowOf)).toEqual([0, 1, 1, 2]);
});

test('pageAtRowDistance returns the first page of the next row, and a page out of range past the ends', () => {
  const double = layOutPages(sizes, 6, { isDouble: true });
  expect([1, 2, 3, 4, 6].map((page) => pageAtRowDistance(double, page, 1))).toEqual([2, 4, 4, 6, 7]);
  expect([6, 3, 2, 1].map((page) => pageAtRowDistance(double, page, -1))).toEqual([4, 1, 1, 0]);
  const single = layOutPages(sizes, 5);
  expect([pageAtRowDistance(single, 1, 1), pageAtRowDistance(single, 5, 1), pageAtRowDistance(single, 1, -1)]).toEqual([
    2, 6, 0,
  ]);
});

test('layOutPages accepts no pages and missing sizes', () => {
  expect(layOutPages([], 0).rows).toBe(0);
  expect(layOutPages([], 2).ratioOf(2)).toBe(297 / 210);
});
