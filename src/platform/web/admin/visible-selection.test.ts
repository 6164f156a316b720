import { expect, test } from 'vitest';
import { keepVisibleIds } from './visible-selection.ts';

test('visibleSelection removes ids of rows that are not visible', () => {
  expect(keepVisibleIds([1, 2, 3], [{ id: 2 }, { id: 3 }, { id: 4 }])).toEqual([2, 3]);
  expect(keepVisibleIds([1, 2], [])).toEqual([]);
});

test('visibleSelection counts nested rows as visible', () => {
  const selectedIds = [1, 12];
  const rows = [{ id: 1, children: [{ id: 11, children: [{ id: 12 }] }] }];
  expect(keepVisibleIds(selectedIds, rows)).toBe(selectedIds);
});
