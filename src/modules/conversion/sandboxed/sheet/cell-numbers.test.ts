import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { renditionMeta } from '../../rendition-meta.ts';
import { section } from '../../section.ts';
import { makeOds, makeWorkbook, odsRow } from '../../workbook.fixture.ts';
import { numbersOfVisibleRowsOrColumns } from './cell-visibility.ts';
import { convertToSheets } from './convert-to-sheets.ts';
import type { WorkbookFormat } from './sheet.ts';

const root = mkdtempSync(path.join(tmpdir(), 'cell-numbers-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Converts a workbook and returns its pages, sheets and stored files. */
async function convert(format: WorkbookFormat, bytes: Buffer) {
  const folder = mkdtempSync(path.join(root, 'book-'));
  const file = path.join(folder, `book.${format}`);
  writeFileSync(file, bytes);
  await convertToSheets({ file, folder, format }, () => {});
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  const files = [...readdirSync(path.join(folder, 'f')).map((name) => read(`f/${name}`)), read('meta.json')];
  return {
    pages: files.slice(0, -1).map((json) => section.parse(JSON.parse(json))),
    sheets: renditionMeta.parse(JSON.parse(files.at(-1) ?? '')).sheets,
    stored: [...files, read('text.txt')].join('\n'),
  };
}

const rows = [
  ['甲', '密列', '丙'],
  ['一', '密列', '三'],
  ['密行', '密行', '密行'],
  ['密行', '密行', '密行'],
  ['四', '密列', '六'],
];
const visibleRows = [
  ['甲', '丙'],
  ['一', '三'],
  ['四', '六'],
];

describe.each(['xls', 'xlsx'] as const)('conversion of a workbook (%s)', (format) => {
  test('stores the numbers of the visible rows and columns when others are hidden between them', async () => {
    const book = makeWorkbook(format, [{ name: '表', rows, hiddenRows: [2, 3], hiddenColumns: [1] }]);
    const { pages, sheets, stored } = await convert(format, book);
    expect(pages).toEqual([{ rows: visibleRows, row_numbers: [1, 2, 5] }]);
    expect(sheets).toMatchObject([{ rows: 3, columns: 2, column_numbers: [1, 3] }]);
    expect(stored).not.toContain('密');
  });

  test('stores no numbers when only the last rows and columns are hidden', async () => {
    const book = makeWorkbook(format, [{ name: '表', rows, hiddenRows: [3, 4], hiddenColumns: [2] }]);
    const { pages, sheets } = await convert(format, book);
    expect(pages[0]).not.toHaveProperty('row_numbers');
    expect(sheets[0]).not.toHaveProperty('column_numbers');
  });
});

test('conversion of an OpenDocument workbook stores the numbers of the visible rows and columns', async () => {
  const columns = '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>';
  const body = rows.map((row, index) => odsRow(row, index === 2 || index === 3 ? 'table:visibility="collapse"' : ''));
  const book = makeOds('', `<table:table table:name="表">${columns}${body.join('')}</table:table>`);
  const { pages, sheets, stored } = await convert('ods', book);
  expect(pages).toEqual([{ rows: visibleRows, row_numbers: [1, 2, 5] }]);
  expect(sheets).toMatchObject([{ column_numbers: [1, 3] }]);
  expect(stored).not.toContain('密');
});

test('conversion of a workbook whose first row is hidden stores the numbers of every page of that sheet only', async () => {
  const longRows = Array.from({ length: 103 }, (_, index) => [`第 ${index + 1} 行`]);
  const book = makeWorkbook('xlsx', [
    { name: '长', rows: longRows, hiddenRows: [0] },
    { name: '短', rows: [['甲']] },
  ]);
  const { pages } = await convert('xlsx', book);
  expect(pages.map(({ row_numbers }) => row_numbers)).toEqual([
    Array.from({ length: 100 }, (_, index) => index + 2),
    [102, 103],
    undefined,
  ]);
});

test('numbersOfVisibleRowsOrColumns returns undefined for a sheet without rows', () => {
  expect(numbersOfVisibleRowsOrColumns(0, () => true)).toBeUndefined();
});
