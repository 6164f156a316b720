import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { processCpuMs } from '#testing/processor-time.ts';
import { makeOds, makeOdsWithoutStyles, makeWorkbook, odsRow, rewriteSheet } from '../../workbook.fixture.ts';
import { rewriteXlsbPart } from '../../xlsb.fixture.ts';
import type { WorkbookFormat } from './sheet.ts';
import { readWorkbook } from './workbook.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hidden-cells-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = async (format: WorkbookFormat, bytes: Buffer | string) => {
  const file = path.join(folder, `book.${format}`);
  writeFileSync(file, bytes);
  return (await readWorkbook(file, format)).map(({ name, rows, total }) => ({ name, rows, total }));
};

/** Record numbers of [MS-XLSB]; a column record begins with one byte each for type and length. */
const [BEGIN_COLUMNS, COLUMN] = [390, 60];

const rows = [
  ['甲', '密列', '丙'],
  ['密行一', '密行二', '密行三'],
  ['一', '密值', '三'],
];
const visibleSheet = {
  name: '公开',
  rows: [
    ['甲', '丙'],
    ['一', '三'],
  ],
  total: 2,
};

describe.each(['xls', 'xlsx', 'xlsb'] as const)('a workbook (%s)', (format) => {
  test('with hidden rows and columns is read without them', async () => {
    const book = makeWorkbook(format, [{ name: '公开', rows, hiddenRows: [1], hiddenColumns: [1] }]);
    expect(await read(format, book)).toEqual([visibleSheet]);
  });

  test('with hidden and very hidden sheets is read without them', async () => {
    const book = makeWorkbook(format, [
      { name: '隐藏', rows: [['密']], hidden: 1 },
      { name: '公开', rows: [['甲']] },
      { name: '深藏', rows: [['密']], hidden: 2 },
    ]);
    expect(await read(format, book)).toEqual([{ name: '公开', rows: [['甲']], total: 1 }]);
  });

  test('whose sheets are all hidden is rejected with that reason', async () => {
    const book = makeWorkbook(format, [{ name: '隐藏', rows: [['密']], hidden: 2 }]);
    await expect(read(format, book)).rejects.toMatchObject({ reason: 'hiddenSheets' });
  });
});

describe.each(['xls', 'xlsx', 'xlsb'] as const)('a merged cell of a workbook (%s)', (format) => {
  const mergedRows = [
    ['合并', '', '甲'],
    ['', '', '乙'],
    ['一', '二', '三'],
  ];
  test.each([
    [
      'whose first row is hidden',
      { hiddenRows: [0] },
      [
        ['合并', '', '乙'],
        ['一', '二', '三'],
      ],
    ],
    [
      'whose first column is hidden',
      { hiddenColumns: [0] },
      [
        ['合并', '甲'],
        ['', '乙'],
        ['二', '三'],
      ],
    ],
    [
      'whose first row and column are hidden',
      { hiddenRows: [0], hiddenColumns: [0] },
      [
        ['合并', '乙'],
        ['二', '三'],
      ],
    ],
    ['whose rows are all hidden', { hiddenRows: [0, 1] }, [['一', '二', '三']]],
    ['whose columns are all hidden', { hiddenColumns: [0, 1] }, [['甲'], ['乙'], ['三']]],
  ])('%s is read in its first visible cell, if any', async (_, hiddenParts, expected) => {
    const book = makeWorkbook(format, [{ name: '表', rows: mergedRows, merges: ['A1:B2'], ...hiddenParts }]);
    expect((await read(format, book))[0]?.rows).toEqual(expected);
  });

  test('whose hidden first row is the only row with cells is read in its first visible cell', async () => {
    const book = makeWorkbook(format, [{ name: '表', rows: [['合并']], merges: ['A1:C3'], hiddenRows: [0] }]);
    expect((await read(format, book))[0]?.rows).toEqual([['合并']]);
  });
});

test('rows of height 0 and columns of width 0 in xlsx are read as hidden', async () => {
  const book = makeWorkbook('xlsx', [{ name: '公开', rows }]);
  const rewrittenBook = rewriteSheet(book, (xml) =>
    xml
      .replace('<row r="2"', '<row r="2" ht="0" customHeight="1"')
      .replace(/<col min="2" max="2" [^>]*>/, '<col min="2" max="2" width="0" customWidth="1"/>'),
  );
  expect(await read('xlsx', rewrittenBook)).toEqual([visibleSheet]);
});

test('rows and columns in xlsx are read as hidden when the attribute is "true"', async () => {
  const book = makeWorkbook('xlsx', [{ name: '公开', rows }]);
  const bookWithHiddenCells = rewriteSheet(book, (xml) =>
    xml
      .replace('<row r="2"', '<row r="2" hidden="true"')
      .replace(/<col min="2" max="2" [^>]*>/, '<col min="2" max="2" hidden="true" width="9"/>'),
  );
  expect(await read('xlsx', bookWithHiddenCells)).toEqual([visibleSheet]);
});

test.each([
  ['of size 0', 'ss:Height="0"', 'ss:Width="0"'],
  ['with the attribute "1"', 'ss:Hidden="1"', 'ss:Hidden="1"'],
  ['with the attribute "true"', 'ss:Hidden="true"', 'ss:Hidden="true"'],
])('rows and columns %s in XML of Excel 2003 are read as hidden', async (_, row, column) => {
  const xmlRow = (texts: string[], attributes: string) =>
    `<Row ${attributes}>${texts.map((text) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`).join('')}</Row>`;
  const [first = [], second = [], third = []] = rows;
  const cells = xmlRow(first, 'ss:Hidden="0"') + xmlRow(second, row) + xmlRow(third, 'ss:Hidden="false"');
  const book = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="公开"><Table><Column ss:Width="50" ss:Hidden="0"/><Column ${column}/><Column ss:Hidden="false" ss:Width="50"/>${cells}</Table></Worksheet></Workbook>`;
  expect(await read('spreadsheetml', book)).toEqual([visibleSheet]);
});

test('XML of Excel 2003 with 40,000 row tags that are not closed is read in less than five seconds of processor time', async () => {
  const book = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet Name="公开"><Table>${'<Row '.repeat(40_000)}`;
  const startedAt = processCpuMs();
  expect(await read('spreadsheetml', book)).toEqual([]);
  expect(processCpuMs() - startedAt).toBeLessThan(5_000);
});

test('rows of height 0 in xls are read as hidden', async () => {
  const book = makeWorkbook('xls', [{ name: '公开', rows, flatRows: [1], hiddenColumns: [1] }]);
  expect(await read('xls', book)).toEqual([visibleSheet]);
});

test('columns without an explicit width are read as hidden when the default width in xlsx is 0', async () => {
  const book = makeWorkbook('xlsx', [{ name: '公开', rows, hiddenRows: [1] }]);
  const bookWithZeroWidth = rewriteSheet(book, (xml) =>
    xml
      .replace('<cols>', '<sheetFormatPr defaultColWidth="0" defaultRowHeight="15"/><cols>')
      .replace(/<col min="2" max="2" [^>]*>/, ''),
  );
  expect(await read('xlsx', bookWithZeroWidth)).toEqual([visibleSheet]);
});

test('columns without an explicit width are read as hidden when the default width in xlsb is 0', async () => {
  const book = makeWorkbook('xlsb', [{ name: '公开', rows, hiddenRows: [1] }]);
  const defaultWidth = Buffer.from([0xe5, 0x03, 12, 0, 0, 0, 0, 8, 0, 0x2c, 1, 0, 0, 0, 0]);
  const bookWithZeroWidth = rewriteXlsbPart(book, '/xl/worksheets/sheet1.bin', ({ type, bytes }) => {
    if (type === BEGIN_COLUMNS) return Buffer.concat([defaultWidth, bytes]);
    return type === COLUMN && bytes.readUInt32LE(2) === 1 ? Buffer.alloc(0) : bytes;
  });
  expect(await read('xlsb', bookWithZeroWidth)).toEqual([visibleSheet]);
});

test('rows with cells are read when the default height in xlsx is 0, which hides only empty rows', async () => {
  const book = makeWorkbook('xlsx', [{ name: '公开', rows, hiddenRows: [1], hiddenColumns: [1] }]);
  const rewrittenBook = rewriteSheet(book, (xml) =>
    xml.replace('<cols>', '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/><cols>'),
  );
  expect(await read('xlsx', rewrittenBook)).toEqual([visibleSheet]);
});

describe('an OpenDocument workbook', () => {
  const table = (name: string, body: string, style = '') =>
    `<table:table table:name="${name}" ${style}>${body}</table:table>`;
  const [first = [], second = [], third = []] = rows;

  test('with hidden sheets, rows and columns is read without them', async () => {
    const book = makeOds(
      '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/></style:style>',
      table('隐藏', odsRow(['密']), 'table:style-name="ta1"') +
        table(
          '公开',
          `<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>${odsRow(first)}${odsRow(second, 'table:visibility="filter"')}${odsRow(third)}`,
        ),
    );
    expect(await read('ods', book)).toEqual([visibleSheet]);
  });

  test('without a styles part is read without its hidden rows', async () => {
    const book = makeOdsWithoutStyles(table('公开', odsRow(['甲']) + odsRow(['密'], 'table:visibility="collapse"')));
    expect(await read('ods', book)).toEqual([{ name: '公开', rows: [['甲']], total: 1 }]);
  });

  test('with a merged cell whose first row is hidden shows its text in the first visible row', async () => {
    const cell = (text: string, attributes = '') =>
      `<table:table-cell ${attributes} office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
    const hiddenRow = `<table:table-row table:visibility="collapse">${cell('合并', 'table:number-columns-spanned="1" table:number-rows-spanned="2"')}</table:table-row>`;
    const nextRow = `<table:table-row><table:covered-table-cell/>${cell('乙')}</table:table-row>`;
    const [sheet] = await read('ods', makeOds('', table('公开', hiddenRow + nextRow)));
    expect(sheet?.rows).toEqual([['合并', '乙']]);
  });

  test('with collapsed groups and rows of height 0 is read without them', async () => {
    const book = makeOds(
      '<style:style style:name="ro0" style:family="table-row"><style:table-row-properties style:row-height="0cm"/></style:style>',
      table(
        '公开',
        `<table:table-column/><table:table-column-group table:display="false"><table:table-column/></table:table-column-group><table:table-column/>${odsRow(first)}<table:table-row-group table:display="false">${odsRow(second)}</table:table-row-group>${odsRow(second, 'table:style-name="ro0"')}${odsRow(third)}`,
      ),
    );
    expect(await read('ods', book)).toEqual([visibleSheet]);
  });

  test('whose sheets are all hidden is rejected with that reason', async () => {
    const book = makeOds(
      '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/></style:style>',
      table('隐藏', odsRow(['密']), 'table:style-name="ta1"'),
    );
    await expect(read('ods', book)).rejects.toMatchObject({ reason: 'hiddenSheets' });
  });
});
