import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import XLSX from '@e965/xlsx';
import { afterAll, expect, test } from 'vitest';
import { NOTE_OBJECT, xlsWithObject } from '../../drawings.fixture.ts';
import { makeOds, odsRow } from '../../workbook.fixture.ts';
import { convertToSheets } from './convert-to-sheets.ts';
import type { WorkbookFormat } from './sheet.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cell-comments-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The rows of all pages, the text, and everything that the conversion writes except pictures. */
async function convert(format: WorkbookFormat, bytes: Buffer | string) {
  const target = mkdtempSync(path.join(folder, `${format}-`));
  const file = path.join(folder, `book.${format}`);
  writeFileSync(file, bytes);
  await convertToSheets({ file, folder: target, format }, () => {});
  const read = (name: string) => readFileSync(path.join(target, name), 'utf8');
  const pages = readdirSync(path.join(target, 'f')).sort();
  return {
    rows: pages.flatMap((page) => JSON.parse(read(`f/${page}`)).rows as string[][]),
    text: read('text.txt'),
    written: ['meta.json', 'text.txt', ...pages.map((page) => `f/${page}`)].map(read).join('\n'),
  };
}

const rows = [
  ['品名', '数量'],
  ['苹果', '3'],
];
const visible = { rows, text: '品名\t数量\n苹果\t3' };

/** An xlsx file with a comment at a filled cell and one at an empty cell. */
function xlsxWithComments(comment: { T?: boolean }): Buffer {
  const sheet = XLSX.utils.aoa_to_sheet(rows);
  const addComment = (address: string, t: string) => {
    const cell: XLSX.CellObject = sheet[address] ?? { t: 'z' };
    cell.c = [{ a: 'AUTHOR', t, ...comment }];
    sheet[address] = cell;
  };
  addComment('B2', 'COMMENT AT A CELL');
  addComment('D5', 'COMMENT AT AN EMPTY CELL');
  sheet['!ref'] = 'A1:D5';
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, sheet, '表');
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx' });
}

const partsOf = (bytes: Buffer) =>
  XLSX.CFB.read(bytes, { type: 'buffer' })
    .FileIndex.map(({ content }: { content?: Uint8Array }) => Buffer.from(content ?? []).toString())
    .join('\n');

test.each([
  ['notes', {}],
  ['threaded comments', { T: true }],
])('%s of an xlsx file are neither shown nor in the text, and its cells are', async (_, kind) => {
  const bytes = xlsxWithComments(kind);
  expect(partsOf(bytes)).toContain('COMMENT AT A CELL');
  const { written, ...rendition } = await convert('xlsx', bytes);
  expect(rendition).toEqual(visible);
  expect(written).not.toMatch(/COMMENT|AUTHOR/);
});

test('a comment of an xls file beside visible cells is neither shown nor in the text', async () => {
  const { written, ...rendition } = await convert('xls', xlsWithObject(NOTE_OBJECT, 'COMMENT', rows));
  expect(rendition).toEqual(visible);
  expect(written).not.toContain('COMMENT');
});

test('a comment in a visible cell of an ods file is neither shown nor in the text', async () => {
  const comment = '<office:annotation><dc:creator>AUTHOR</dc:creator><text:p>COMMENT</text:p></office:annotation>';
  const cells = odsRow(['品名', '数量']) + odsRow(['苹果', '3']);
  const table = `<table:table table:name="表">${cells.replace('<text:p>3', `${comment}<text:p>3`)}</table:table>`;
  const { written, ...rendition } = await convert('ods', makeOds('', table));
  expect(rendition).toEqual(visible);
  expect(written).not.toMatch(/COMMENT|AUTHOR/);
});

test('a comment of a workbook in XML of Excel 2003 is neither shown nor in the text', async () => {
  const comment = '<Comment ss:Author="AUTHOR"><ss:Data><B>AUTHOR:</B>&#10;COMMENT</ss:Data></Comment>';
  const cells = rows.map((row) =>
    row.map((text) => `<Cell><Data ss:Type="String">${text}</Data>${comment}</Cell>`).join(''),
  );
  const table = `<Table>${cells.map((row) => `<Row>${row}</Row>`).join('')}</Table>`;
  const book = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="表">${table}</Worksheet></Workbook>`;
  const { written, ...rendition } = await convert('spreadsheetml', book);
  expect(rendition).toEqual(visible);
  expect(written).not.toMatch(/COMMENT|AUTHOR/);
});

test('deleted and replaced cells of tracked changes in an ods file are neither shown nor in the text', async () => {
  const cell = (text: string) =>
    `<table:change-track-table-cell office:value-type="string"><text:p>${text}</text:p></table:change-track-table-cell>`;
  const info =
    '<office:change-info><dc:creator>AUTHOR</dc:creator><dc:date>2026-11-17T08:00:00</dc:date></office:change-info>';
  const address = (row: number) => `<table:cell-address table:column="0" table:row="${row}" table:table="0"/>`;
  const deletion = `<table:deletion table:id="ct1" table:type="row" table:position="1" table:table="0">${info}<table:deletions><table:cell-content-deletion>${address(1)}${cell('DELETED ROW')}</table:cell-content-deletion></table:deletions></table:deletion>`;
  const replacement = `<table:cell-content-change table:id="ct2">${address(1)}${info}<table:previous>${cell('REPLACED CELL')}</table:previous></table:cell-content-change>`;
  const changes = `<table:tracked-changes>${deletion}${replacement}</table:tracked-changes>`;
  const table = `<table:table table:name="表">${odsRow(['品名', '数量'])}${odsRow(['苹果', '3'])}</table:table>`;
  const { written, ...rendition } = await convert('ods', makeOds('', changes + table));
  expect(rendition).toEqual(visible);
  expect(written).not.toMatch(/DELETED|REPLACED|AUTHOR/);
});
