import { expect, test } from 'vitest';
import {
  cellName,
  cellOfHit,
  columnLabels,
  columnName,
  columnWidths,
  readableRowCount,
  rowLabel,
  sheetOfPage,
  sheetsWithPageRanges,
} from './sheet-rows.ts';

test('columnName returns spreadsheet column letters', () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnName)).toEqual('A Z AA AZ BA ZZ AAA'.split(' '));
});

test('columnLabels leaves out the letters of hidden columns', () => {
  expect(columnLabels({ column_numbers: [1, 3, 28] }, 3)).toEqual(['A', 'C', 'AB']);
  expect(columnLabels({}, 3)).toEqual(['A', 'B', 'C']);
});

test('rowLabel returns the number of a row in the workbook, and its position for pages without numbers', () => {
  const firstPage = { row_numbers: [1, 2, 5] };
  expect([0, 1, 2].map((row) => rowLabel(row, { page: firstPage, firstPage }))).toEqual(['1', '2', '5']);
  expect(rowLabel(101, { page: { row_numbers: [110, 120] }, firstPage })).toBe('120');
  expect(rowLabel(101, { page: {}, firstPage: {} })).toBe('102');
});

test('rowLabel is empty while the page of the row is loading if rows of the sheet are hidden', () => {
  expect(rowLabel(101, { page: undefined, firstPage: { row_numbers: [1, 5] } })).toBe('');
  expect(rowLabel(101, { page: undefined, firstPage: {} })).toBe('102');
});

test('rowLabel is empty while no page of the sheet is known', () => {
  expect([0, 101].map((row) => rowLabel(row, { page: undefined, firstPage: undefined }))).toEqual(['', '']);
});

test('rowLabel returns the label of a row whose page is known before the first page', () => {
  expect(rowLabel(101, { page: { row_numbers: [110, 120] }, firstPage: undefined })).toBe('120');
  expect(rowLabel(101, { page: {}, firstPage: undefined })).toBe('102');
});

test('cellName joins the letter and the row label, and is empty while the label is', () => {
  expect(cellName('AB', '12')).toBe('AB12');
  expect(cellName('A', '')).toBe('');
});

test('cellOfHit returns the cell in which a hit begins', () => {
  const rows = [['品名', '数量'], [], ['苹果', '苹果汁', ''], ['梨', '苹果']];
  expect(cellOfHit({ rows }, '苹果', 0)).toEqual({ row: 2, column: 0 });
  expect(cellOfHit({ rows }, '苹果', 1)).toEqual({ row: 2, column: 1 });
  expect(cellOfHit({ rows }, '苹果', 2)).toEqual({ row: 3, column: 1 });
  expect(cellOfHit({ rows }, '苹果', 3)).toBeNull();
});

test('sheetsWithPageRanges assigns pages to sheets and limits rows to readable pages', () => {
  const sheets = [
    { name: '一', page: 1, rows: 250, cut: false },
    { name: '二', page: 4, rows: 90, cut: false },
  ];
  const places = sheetsWithPageRanges({ sheets, readable: 4 });
  expect(places.map(({ lastPage }) => lastPage)).toEqual([3, 4]);
  expect(places.map(readableRowCount)).toEqual([250, 90]);
  expect(sheetsWithPageRanges({ sheets, readable: 2 }).map(readableRowCount)).toEqual([200, 0]);
  expect(sheetOfPage(places, 3)?.name).toBe('一');
  expect(sheetOfPage(places, 9)?.name).toBe('二');
});

test('columnWidths includes columns that only later rows have', () => {
  expect(columnWidths([['1', '2']], 4)).toEqual([72, 72, 144, 144]);
  expect(columnWidths([['1', '2']], 1)).toHaveLength(2);
});

test('columnWidths limits the width of a column with a long text', () => {
  const [narrow, wide] = columnWidths([['1', '一段很长的文字'.repeat(20)]]);
  expect([narrow, wide]).toEqual([72, 320]);
});

test('columnWidths uses the widths that the workbook declares', () => {
  expect(columnWidths([['一段很长的文字'.repeat(20), '2']], 3, [10, 0, 200])).toEqual([90, 72, 600]);
});
