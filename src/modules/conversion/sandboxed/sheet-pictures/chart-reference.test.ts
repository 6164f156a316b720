import { expect, test } from 'vitest';
import { parseChartReference } from './chart-reference.ts';

/** Sheet, first and last row, first and last column. */
const rangesOf = (formula: string) =>
  parseChartReference(formula)?.map(({ sheet, row, lastRow, column, lastColumn }) => [
    sheet,
    row,
    lastRow,
    column,
    lastColumn,
  ]);

test.each([
  ['a column', 'Sheet1!$A$2:$A$9', [['Sheet1', 1, 8, 0, 0]]],
  ['a row', '数据!$B$1:$AB$1', [['数据', 0, 0, 1, 27]]],
  ['a cell', 'Sheet1!$XFD$1048576', [['Sheet1', 1_048_575, 1_048_575, 16_383, 16_383]]],
  ['relative addresses in the other direction', 'Sheet1!c9:B2', [['Sheet1', 1, 8, 1, 2]]],
  ['a quoted name with an apostrophe, a comma and an exclamation mark', "'It''s, 1!'!$A$1", [["It's, 1!", 0, 0, 0, 0]]],
  ['whole columns', 'Sheet1!$A:$B', [['Sheet1', 0, 1_048_575, 0, 1]]],
  ['whole rows', 'Sheet1!$2:$3', [['Sheet1', 1, 2, 0, 16_383]]],
  [
    'a union',
    " ('a,b'!$A$1,Sheet1!$A$3:$A$4) ",
    [
      ['a,b', 0, 0, 0, 0],
      ['Sheet1', 2, 3, 0, 0],
    ],
  ],
  [
    'a union without parentheses, as LibreOffice writes it',
    "'数 据'!$A$2,'数 据'!$A$4",
    [
      ['数 据', 1, 1, 0, 0],
      ['数 据', 3, 3, 0, 0],
    ],
  ],
])('parses %s', (_, formula, ranges) => {
  expect(rangesOf(formula)).toEqual(ranges);
});

test.each([
  '',
  '()',
  '$A$1',
  'Sheet1!Sales',
  'Sheet1!A',
  'Sheet1!7',
  'Sheet1!A:3',
  'Sheet1!A1:B',
  'Sheet1!#REF!',
  'Sheet1:Sheet3!$A$1',
  'Sheet1!$A$0',
  'Sheet1!$A$1048577',
  'Sheet1!$XFE$1',
  '[0]!Sales',
  '[Book.xlsx]Sheet1!$A$1 ,Sheet1!Sales',
  '(Sheet1!$A$1,Sales)',
  '{1,2,3}',
  `Sheet1!$A$1${',Sheet1!$A$1'.repeat(1_000)}`,
])('does not parse %s', (formula) => {
  expect(parseChartReference(formula)).toBeNull();
});

test.each(['[1]Sheet1!$A$1:$A$3', "'[12]Sheet 1'!$A$1"])('finds no cells of this workbook in %s', (formula) => {
  expect(parseChartReference(formula)).toEqual([]);
});
