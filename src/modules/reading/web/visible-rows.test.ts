import { expect, test } from 'vitest';
import { visibleRows } from './visible-rows.ts';

const options = { rowHeight: 32, overscan: 12 };

test('visibleRows starts at the first row', () => {
  expect(visibleRows({ scrollTop: 0, clientHeight: 640 }, options)).toEqual({ from: 0, to: 32 });
});

test('visibleRows includes partly visible rows and the overscan on both sides', () => {
  expect(visibleRows({ scrollTop: 3_210, clientHeight: 640 }, options)).toEqual({ from: 88, to: 133 });
});

test('visibleRows has the same number of rows at any scroll position of a long list', () => {
  const counts = [1_000, 100_000, 1_000_000].map((row) => {
    const { from, to } = visibleRows({ scrollTop: row * 32, clientHeight: 640 }, options);
    return to - from;
  });
  expect(counts).toEqual([44, 44, 44]);
});
