import { expect, test } from 'vitest';
import { frozenPanesInView } from './frozen-panes.ts';

const desktopView = { width: 1_000, height: 600 };
const phoneView = { width: 390, height: 600 };
const widths = [80, 80, 100];

test('a sheet without declared frozen panes keeps its first row', () => {
  expect(frozenPanesInView({}, widths, desktopView)).toEqual({ rows: 1, columns: 0 });
});

test('a sheet keeps the declared rows and columns, also none', () => {
  expect(frozenPanesInView({ frozen: [3, 2] }, widths, desktopView)).toEqual({ rows: 3, columns: 2 });
  expect(frozenPanesInView({ frozen: [0, 1] }, widths, desktopView)).toEqual({ rows: 0, columns: 1 });
});

test('rows or columns that would take more than half of the view are not frozen', () => {
  expect(frozenPanesInView({ frozen: [1, 2] }, widths, phoneView)).toEqual({ rows: 1, columns: 0 });
  expect(frozenPanesInView({ frozen: [20, 1] }, widths, desktopView)).toEqual({ rows: 0, columns: 1 });
});

test('one row and no column is frozen until the view is measured', () => {
  expect(frozenPanesInView({ frozen: [3, 2] }, widths, null)).toEqual({ rows: 1, columns: 0 });
});
