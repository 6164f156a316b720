import { expect, test } from 'vitest';
import { selectVisibleIds } from './deselect-hidden-rows.ts';

test('selectVisibleIds removes ids of rows that are not visible', () => {
  expect(selectVisibleIds([1, 2, 3], [{ id: 2 }, { id: 3 }, { id: 4 }])).toEqual([2, 3]);
  expect(selectVisibleIds([1, 2], [])).toEqual([]);
});

test('selectVisibleIds counts nested rows as visible', () => {
  const selectedIds = [1, 12];
  const rows = [{ id: 1, children: [{ id: 11, children: [{ id: 12 }] }] }];
  expect(selectVisibleIds(selectedIds, rows)).toBe(selectedIds);
});
