import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { section } from '../../section.ts';
import { makeStyledWorkbook, styledCell } from '../../styled-workbook.fixture.ts';
import { convertToSheets } from './convert-to-sheets.ts';
import { encodeStyles } from './encode-styles.ts';
import { readWorkbook } from './workbook.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cell-styles-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeBook(book: Parameters<typeof makeStyledWorkbook>[0]): string {
  const file = path.join(folder, 'book.xlsx');
  writeFileSync(file, makeStyledWorkbook(book));
  return file;
}

const readStyles = async (book: Parameters<typeof makeStyledWorkbook>[0]) =>
  (await readWorkbook(writeBook(book), 'xlsx')).map(({ styles }) => styles);

const row = (number: number, cells: string, attributes = '') => `<row r="${number}" ${attributes}>${cells}</row>`;
const sheetData = (rows: string) => `<sheetData>${rows}</sheetData>`;
const solid = (color: string) =>
  `<fill><patternFill patternType="solid"><fgColor ${color}/><bgColor indexed="64"/></patternFill></fill>`;

/** Styles of the cells of a row, one for each format. */
async function stylesOfFormats(xfs: string[], rest: Partial<Parameters<typeof makeStyledWorkbook>[0]>) {
  const cells = xfs.map((_, at) => styledCell(`${String.fromCharCode(65 + at)}1`, at, '字'));
  const [styles] = await readStyles({ xfs: xfs.join(''), sheets: [sheetData(row(1, cells.join('')))], ...rest });
  return styles?.[0];
}

describe('the cell styles of an xlsx file', () => {
  test('contain fill colours of all kinds with the tint resolved', async () => {
    const colors = [
      'rgb="FFFFC000"',
      'theme="4"',
      'theme="4" tint="0.7999816888943144"',
      'theme="0" tint="-0.499984740745262"',
      'indexed="13"',
      'auto="1"',
    ];
    const fills = `<fill/>${colors.map(solid).join('')}<fill><gradientFill><stop position="0"><color rgb="FF112233"/></stop></gradientFill></fill>`;
    const themeColors = '000000 FFFFFF 44546A E7E6E6 4472C4'.split(' ');
    const xfs = Array.from({ length: 8 }, (_, at) => `<xf fillId="${at}"/>`);
    const styles = await stylesOfFormats(xfs, { fills, themeColors });
    expect(styles?.map((style) => style?.fill)).toEqual([
      undefined,
      'ffc000',
      '4472c4',
      'dae3f3',
      '808080',
      'ffff00',
      undefined,
      '112233',
    ]);
  });

  test('contain the properties of fonts, and leave out black', async () => {
    const fonts =
      '<font><color theme="1"/></font><font><b/><i val="1"/><u val="double"/><strike/><color rgb="FFC00000"/></font><font><b val="0"/><u val="none"/></font>';
    const styles = await stylesOfFormats(
      [0, 1, 2].map((font) => `<xf fontId="${font}"/>`),
      { fonts },
    );
    const decoratedStyle = { color: 'c00000', bold: true, italic: true, underline: true, strike: true };
    expect(styles).toEqual([undefined, decoratedStyle, undefined]);
  });

  test('contain the sides with borders', async () => {
    const borders =
      '<border/><border><left style="thin"/><right/><top style="none"/><bottom style="double"/></border><border><left style="thin"/><right style="thin"/><top style="thin"/><bottom style="thin"/></border>';
    const styles = await stylesOfFormats(
      [0, 1, 2].map((border) => `<xf borderId="${border}"/>`),
      { borders },
    );
    expect(styles).toEqual([undefined, { borders: 'bl' }, { borders: 'trbl' }]);
  });

  test('contain the alignment, and align numbers to the right unless the format says otherwise', async () => {
    const xfs = '<xf/><xf><alignment horizontal="center" wrapText="1"/></xf><xf><alignment horizontal="left"/></xf>';
    const texts = ['A', 'B', 'C'].map((column, at) => styledCell(`${column}1`, at, '字'));
    const numbers = ['A', 'B', 'C'].map((column, at) => styledCell(`${column}2`, at, 7));
    const [styles] = await readStyles({ xfs, sheets: [sheetData(row(1, texts.join('')) + row(2, numbers.join('')))] });
    const centeredStyle = { align: 'center', wrap: true };
    expect(styles).toEqual([
      [undefined, centeredStyle, undefined],
      [{ align: 'right' }, centeredStyle, undefined],
    ]);
  });

  test('of cells that the file does not contain come from the row, or else from the column', async () => {
    const fills = `<fill/>${solid('rgb="FF111111"')}${solid('rgb="FF222222"')}`;
    const columns = '<cols><col min="2" max="2" width="9" style="2"/></cols>';
    const rows = row(1, styledCell('C1', 0, '甲'), 's="1" customFormat="1"') + row(2, styledCell('C2', 0, '乙'));
    const xfs = '<xf/><xf fillId="1"/><xf fillId="2"/>';
    const [styles] = await readStyles({ xfs, fills, sheets: [columns + sheetData(rows)] });
    expect(styles).toEqual([
      [{ fill: '111111' }, { fill: '111111' }, undefined],
      [undefined, { fill: '222222' }, undefined],
    ]);
  });

  test('stay with their cells when rows and columns before them are hidden', async () => {
    const fills = `<fill/>${solid('rgb="FF111111"')}`;
    const cells = (line: number) => ['A', 'B', 'C'].map((column) => styledCell(`${column}${line}`, 0, '字')).join('');
    const rows = row(1, cells(1), 'hidden="1"') + row(2, cells(2).replace('"C2" s="0"', '"C2" s="1"'));
    const columns = '<cols><col min="1" max="1" width="9" hidden="1"/></cols>';
    const [styles] = await readStyles({
      xfs: '<xf/><xf fillId="1"/>',
      fills,
      sheets: [columns + sheetData(rows)],
    });
    expect(styles).toEqual([[undefined, { fill: '111111' }]]);
  });

  test('are left out for formats and colours that do not exist', async () => {
    const fills = `<fill/>${solid('rgb="javascript:"')}${solid('theme="99"')}${solid('indexed="-1"')}`;
    const xfs = ['<xf fontId="9" fillId="9" borderId="x"/>', ...[1, 2, 3].map((fill) => `<xf fillId="${fill}"/>`)];
    expect(await stylesOfFormats(xfs, { fills })).toBeUndefined();
  });
});

test('a styled workbook is stored as sections with runs of equal styles', async () => {
  const cells = styledCell('A1', 1, '甲') + styledCell('B1', 1) + styledCell('C1', 0, '丙') + styledCell('D1', 1, '丁');
  const fills = `<fill/>${solid('rgb="FF00B050"')}`;
  const file = writeBook({ xfs: '<xf/><xf fillId="1"/>', fills, sheets: [sheetData(row(1, cells))] });
  await convertToSheets({ file, folder, format: 'xlsx' }, () => {});
  const storedSection = section.parse(JSON.parse(readFileSync(path.join(folder, 'f', '00001.json'), 'utf8')));
  expect(storedSection).toEqual({
    rows: [['甲', '', '丙', '丁']],
    cell_styles: { styles: [{ fill: '00b050' }], runs: [[2, 1, 1, 0, 1, 1]] },
  });
});

test('encodeStyles keeps the first thousand styles of a section', () => {
  const styles = Array.from({ length: 1_200 }, (_, at) => ({ fill: at.toString(16).padStart(6, '0') }));
  const rows = Array.from({ length: 6 }, (_, at) => styles.slice(at * 200, (at + 1) * 200));
  const sectionStyles = encodeStyles(rows);
  expect(sectionStyles?.styles).toHaveLength(1_000);
  expect(sectionStyles?.runs[5]).toEqual([]);
});

test('section rejects styles that are not colours, flags or sides, and runs longer than a row', () => {
  const parse = (styles: unknown[], runs: number[][] = [[1, 1]]) =>
    section.safeParse({ rows: [['字']], cell_styles: { styles, runs } }).success;
  expect(parse([{ fill: '00b050', bold: true, borders: 'tb' }])).toBe(true);
  for (const style of [{ fill: 'url(x)' }, { color: '#123456' }, { bold: 'yes' }, { borders: 'x' }, { align: 'fixed' }])
    expect(parse([style])).toBe(false);
  expect(parse([{}], [[150, 1, 51, 1]])).toBe(false);
  expect(parse([{}], [[1]])).toBe(false);
});

test('merged cells are stored with positions among the visible rows, on each page that they reach', async () => {
  const lines = Array.from({ length: 120 }, (_, at) =>
    row(at + 1, styledCell(`C${at + 1}`, 0, '字'), at === 1 ? 'hidden="1"' : ''),
  );
  const merges = '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A2:B2"/><mergeCell ref="A91:B111"/></mergeCells>';
  const file = writeBook({ xfs: '<xf/>', sheets: [sheetData(lines.join('')) + merges] });
  await convertToSheets({ file, folder, format: 'xlsx' }, () => {});
  const mergedCells = [1, 2].map((page) => {
    const storedSection = readFileSync(path.join(folder, 'f', `0000${page}.json`), 'utf8');
    return section.parse(JSON.parse(storedSection)).merged_cells;
  });
  expect(mergedCells).toEqual([
    [
      [0, 0, 1, 3],
      [89, 0, 21, 2],
    ],
    [[-11, 0, 21, 2]],
  ]);
});
