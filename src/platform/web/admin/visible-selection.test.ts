import { expect, test } from 'vitest';
import { stillShown } from './visible-selection.ts';

test('of selected rows only those in sight stay selected', () => {
  expect(stillShown([1, 2, 3], [{ id: 2 }, { id: 3 }, { id: 4 }])).toEqual([2, 3]);
  expect(stillShown([1, 2], [])).toEqual([]);
});

test('rows below other rows are in sight too', () => {
  const selected = [1, 12];
  const rows = [{ id: 1, children: [{ id: 11, children: [{ id: 12 }] }] }];
  expect(stillShown(selected, rows)).toBe(selected);
});
