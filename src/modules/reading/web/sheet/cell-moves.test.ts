import { expect, it } from 'vitest';
import { cellAfterKey } from './cell-moves.ts';

const last = { row: 99, column: 5 };
const move = (key: string, options: { isEdge?: boolean; from?: { row: number; column: number } | null } = {}) =>
  cellAfterKey({ key, isEdge: false, from: { row: 50, column: 2 }, last, windowRows: 20, ...options });

it.each([
  ['ArrowUp', { row: 49, column: 2 }],
  ['ArrowRight', { row: 50, column: 3 }],
  ['PageDown', { row: 70, column: 2 }],
  ['PageUp', { row: 30, column: 2 }],
  ['Home', { row: 50, column: 0 }],
  ['End', { row: 50, column: 5 }],
  ['Tab', null],
])('%s moves the selection in the sheet', (key, cell) => {
  expect(move(key)).toEqual(cell);
});

it('Ctrl with Home or End selects the first or last cell of the sheet, also without a selected cell', () => {
  expect(move('Home', { isEdge: true })).toEqual({ row: 0, column: 0 });
  expect(move('End', { isEdge: true, from: null })).toEqual(last);
  expect(move('ArrowDown', { isEdge: true })).toBeNull();
});

it('the selection stays in the sheet, and keys move nothing before a cell is selected', () => {
  expect(move('PageDown', { from: { row: 95, column: 5 } })).toEqual(last);
  expect(move('ArrowLeft', { from: { row: 0, column: 0 } })).toEqual({ row: 0, column: 0 });
  expect(move('ArrowDown', { from: null })).toBeNull();
});
