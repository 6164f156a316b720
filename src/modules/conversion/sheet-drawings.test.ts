import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import XLSX from '@e965/xlsx';
import { afterAll, expect, test } from 'vitest';
import {
  hiddenShapeDrawing,
  hugeDrawing,
  NOTE_OBJECT,
  PICTURE_OBJECT,
  pictureDrawing,
  TEXT_BOX_OBJECT,
  workbookWithChartSheet,
  workbookWithDrawing,
  workbookWithDrawings,
  xlsChartSheet,
  xlsWithObject,
  xlsWithSeriesNames,
} from './drawings.fixture.ts';
import { pageName } from './page-name.ts';
import { renditionMeta } from './rendition-meta.ts';
import { convertToSheets } from './sandboxed/sheet/convert-to-sheets.ts';
import { makeFods, makeOds, makeWorkbook, odsRow } from './workbook.fixture.ts';
import { withXlsbDrawing } from './xlsb.fixture.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'douku-drawings-'));
afterAll(() => rm(folder, { recursive: true }));

/** Converts the workbook; returns the visible sheets by name. */
async function convert(format: 'xls' | 'xlsx' | 'xlsb' | 'ods' | 'fods') {
  const target = await mkdtemp(path.join(folder, `${format}-`));
  await convertToSheets({ file: path.join(folder, `book.${format}`), folder: target, format }, () => {});
  const meta = renditionMeta.parse(JSON.parse(await readFile(path.join(target, 'meta.json'), 'utf8')));
  const pages = await Promise.all(
    meta.sheets.map(async ({ name, page }) => {
      const file = path.join(target, 'f', `${pageName(page)}.json`);
      return [name, JSON.parse(await readFile(file, 'utf8')).rows as string[][]] as const;
    }),
  );
  const plainText = await readFile(path.join(target, 'text.txt'), 'utf8');
  return { sheets: Object.fromEntries(pages), plainText };
}

const ONLY_DRAWINGS = [['此工作表只有图片或图表，请下载原文件查看']];
const MORE_IN_DRAWINGS = ['以上为图中文字，图片和图表请下载原文件'];

test.each(['relative', 'absolute'] as const)(
  'sheets without cells of an xlsx file with %s paths show the text of shapes and charts or a notice',
  async (paths) => {
    await writeFile(path.join(folder, 'book.xlsx'), workbookWithDrawings(paths));
    const { sheets, plainText } = await convert('xlsx');
    expect(sheets).toEqual({
      数据: [['cell']],
      图表: [['Text in a box'], ['Sales'], ['', 'Q1', 'Q2'], ['North', '10', '20'], MORE_IN_DRAWINGS],
      图形: ONLY_DRAWINGS,
    });
    expect(plainText).toBe('cell\fText in a box\nSales\n\tQ1\tQ2\nNorth\t10\t20\f');
  },
);

test('a sheet of an xlsx file with a picture and without filled cells says what it holds and shows no empty cell', async () => {
  for (const rows of ['', '<row r="1"><c r="A1"/></row>']) {
    await writeFile(path.join(folder, 'book.xlsx'), workbookWithDrawing(pictureDrawing, rows));
    const { sheets, plainText } = await convert('xlsx');
    expect(sheets).toEqual({ 数据: [['cell']], 图表: ONLY_DRAWINGS, 图形: ONLY_DRAWINGS });
    expect(plainText).toBe('cell\f\f');
  }
});

test('a chart sheet of an xlsx file shows its chart as a table, or says what it holds, and no empty cell', async () => {
  await writeFile(path.join(folder, 'book.xlsx'), workbookWithChartSheet(true));
  const table = [['Sales'], ['', 'Q1', 'Q2'], ['North', '10', '20'], MORE_IN_DRAWINGS];
  expect((await convert('xlsx')).sheets.图形).toEqual(table);
  await writeFile(path.join(folder, 'book.xlsx'), workbookWithChartSheet(false));
  expect((await convert('xlsx')).sheets.图形).toEqual(ONLY_DRAWINGS);
});

test('a shape of an xlsx file that is hidden by "true" is left out', async () => {
  await writeFile(path.join(folder, 'book.xlsx'), workbookWithDrawing(hiddenShapeDrawing));
  expect((await convert('xlsx')).sheets.图表).toEqual([['Visible shape'], MORE_IN_DRAWINGS]);
});

test('an xlsx file with a drawing of more than 16 MB shows its cells and a notice about the drawing', async () => {
  await writeFile(path.join(folder, 'book.xlsx'), workbookWithDrawing(hugeDrawing()));
  expect((await convert('xlsx')).sheets).toEqual({
    数据: [['cell']],
    图表: ONLY_DRAWINGS,
    图形: ONLY_DRAWINGS,
  });
});

test('a sheet of an xlsb file without cells shows the text of its visible shapes', async () => {
  const book = makeWorkbook('xlsb', [
    { name: '图形', rows: [] },
    { name: '数据', rows: [['cell']] },
  ]);
  await writeFile(path.join(folder, 'book.xlsb'), withXlsbDrawing(book, hiddenShapeDrawing));
  expect((await convert('xlsb')).sheets).toEqual({ 图形: [['Visible shape'], MORE_IN_DRAWINGS], 数据: [['cell']] });
});

test.each([
  ['a picture', PICTURE_OBJECT, '', ONLY_DRAWINGS],
  ['a text box', TEXT_BOX_OBJECT, '文本框', [['文本框'], MORE_IN_DRAWINGS]],
])('a sheet of an xls file that contains only %s shows its text or a notice', async (_, kind, words, rows) => {
  await writeFile(path.join(folder, 'book.xls'), xlsWithObject(kind, words));
  expect((await convert('xls')).sheets).toEqual({ 图形: rows });
});

test('a chart sheet of an xls file says what it holds and shows neither an empty cell nor the copy of its data', async () => {
  await writeFile(path.join(folder, 'book.xls'), xlsChartSheet());
  expect(await convert('xls')).toEqual({ sheets: { 图形: ONLY_DRAWINGS }, plainText: '' });
});

test('a chart of an xls file shows names from cells only if no row is hidden', async () => {
  const rowsWith = async (hiddenRows: number[]) => {
    await writeFile(path.join(folder, 'book.xls'), xlsWithSeriesNames('写明', '单元格', hiddenRows));
    return (await convert('xls')).sheets.图形;
  };
  expect(await rowsWith([])).toEqual([['写明'], ['单元格'], MORE_IN_DRAWINGS]);
  expect(await rowsWith([0])).toEqual([['写明'], MORE_IN_DRAWINGS]);
});

test.each([
  ['without hidden cells shows only its title', 'chart:include-hidden-cells="false"', [['标题']]],
  ['with hidden cells shows its table', '', [['标题'], ['SECRET', '7']]],
])('a chart of an ods file with a hidden row %s', async (_, attribute, rows) => {
  const chart = `<office:document-content><style:chart-properties ${attribute}/><chart:title><text:p>标题</text:p></chart:title><table:table>${odsRow(['SECRET', '7'])}</table:table></office:document-content>`;
  const frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
  const tables = `<table:table table:name="图形"><table:shapes>${frame}</table:shapes>${odsRow([''])}</table:table><table:table table:name="数据">${odsRow(['cell'])}${odsRow(['SECRET', '7'], 'table:visibility="filter"')}</table:table>`;
  const member = { name: 'Object 1/content.xml', body: chart };
  await writeFile(path.join(folder, 'book.ods'), makeOds('', tables, [member]));
  const { sheets } = await convert('ods');
  expect(sheets).toEqual({ 图形: [...rows, MORE_IN_DRAWINGS], 数据: [['cell']] });
});

test('the comment of an empty sheet of an xls file does not count as a drawing', async () => {
  await writeFile(path.join(folder, 'book.xls'), xlsWithObject(NOTE_OBJECT, 'COMMENT'));
  expect((await convert('xls')).sheets).toEqual({ 图形: [] });
});

test('sheets of an ods file that contain only shapes show their text or a notice', async () => {
  const table = (name: string, words: string) =>
    `<table:table table:name="${name}"><table:shapes><draw:custom-shape>${words}</draw:custom-shape></table:shapes><table:table-row><table:table-cell/></table:table-row></table:table>`;
  const tables = table('文本框', '<text:p>Text in a box</text:p>') + table('图形', '');
  await writeFile(path.join(folder, 'book.ods'), makeOds('', tables));
  expect((await convert('ods')).sheets).toEqual({
    文本框: [['Text in a box'], MORE_IN_DRAWINGS],
    图形: ONLY_DRAWINGS,
  });
});

test('hidden cells, comments and hidden shapes of an ods file do not count as text of its drawings', async () => {
  const hiddenRow = odsRow(['HIDDEN CELL'], 'table:visibility="collapse"');
  const comment =
    '<table:table-row><table:table-cell><office:annotation><text:p>COMMENT</text:p></office:annotation></table:table-cell></table:table-row>';
  const shapes =
    '<table:shapes><draw:frame><draw:text-box><text:p>Text <text:span>in</text:span> a box</text:p></draw:text-box></draw:frame><draw:frame draw:display="none"><draw:text-box><text:p>HIDDEN SHAPE</text:p></draw:text-box></draw:frame></table:shapes>';
  const table = `<table:table table:name="图形">${shapes}${hiddenRow}${comment}</table:table>`;
  await writeFile(path.join(folder, 'book.ods'), makeOds('', table));
  expect(await convert('ods')).toEqual({
    sheets: { 图形: [['Text in a box'], MORE_IN_DRAWINGS] },
    plainText: 'Text in a box',
  });
});

test('an ods file with more than 16 MB of cells and an empty sheet is read', async () => {
  const words = 'x'.repeat(1_900);
  const rows = odsRow(Array<string>(100).fill(words)).repeat(100);
  const tables = `<table:table table:name="数据">${rows}</table:table><table:table table:name="空">${odsRow([''])}</table:table>`;
  await writeFile(path.join(folder, 'book.ods'), makeOds('', tables));
  expect((await convert('ods')).sheets.数据?.[0]?.[0]).toBe(words);
});

test('an empty xls file older than compound files is read as an empty sheet', async () => {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([]), 'Sheet1');
  const bytes: Buffer = XLSX.write(book, { type: 'buffer', bookType: 'biff2' });
  await writeFile(path.join(folder, 'book.xls'), bytes);
  expect((await convert('xls')).sheets).toEqual({ Sheet1: [] });
});

test('the tables of charts in a fods file are no sheets, and cells beside other embedded objects stay', async () => {
  const chart = `<draw:frame><draw:object><office:document><table:table table:name="local-table">${odsRow(['chart cell'])}</table:table></office:document></draw:object></draw:frame>`;
  const object =
    '<draw:frame><draw:object-ole><office:binary-data>AA==</office:binary-data></draw:object-ole></draw:frame>';
  const tables = ['甲', '乙'].map(
    (name, index) =>
      `<table:table table:name="${name}">${odsRow([`first of ${name}`])}<table:table-row><table:table-cell>${index === 0 ? object : chart}</table:table-cell></table:table-row>${odsRow([`last of ${name}`])}</table:table>`,
  );
  await writeFile(path.join(folder, 'book.fods'), makeFods(tables.join('')));
  expect((await convert('fods')).sheets).toEqual({
    甲: [['first of 甲'], [], ['last of 甲']],
    乙: [['first of 乙'], [], ['last of 乙']],
  });
});
