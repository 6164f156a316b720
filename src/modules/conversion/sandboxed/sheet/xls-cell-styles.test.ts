import XLSX from '@e965/xlsx';
import { expect, test } from 'vitest';
import { readXlsAppearance } from './xls-cell-styles.ts';

const record = (type: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(body.length, 2);
  return Buffer.concat([head, body]);
};
const numbers = (...values: number[]) => {
  const body = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) body.writeUInt16LE(value, at * 2);
  return body;
};
const end = record(0x0a, Buffer.alloc(0));
const begin = record(0x809, numbers(0x600, 0x05, 0, 0, 0, 0, 0, 0));

/** Colour, weight and flags (italic, strike) of a font. */
const font = (color: number, weight: number, flags = 0, underline = 0) =>
  record(0x31, Buffer.concat([numbers(200, flags, color, weight, 0), Buffer.from([underline, 0, 0, 0])]));

function format({ font = 0, alignment = 0, lines = 0, pattern = 0, colors = 0 }) {
  const body = Buffer.alloc(20);
  body.writeUInt16LE(font, 0);
  body.writeUInt8(alignment, 6);
  body.writeUInt32LE(lines, 10);
  body.writeUInt32LE((pattern << 26) >>> 0, 14);
  body.writeUInt16LE(colors, 18);
  return record(0xe0, body);
}

/** Builds a workbook in Excel 97 format with one sheet from the records of its formats and cells. */
function makeXls(formats: Buffer[], cells: Buffer[]): Buffer {
  const name = Buffer.from([2, 1, 0x68, 0x88, 0x31, 0]);
  const offset = begin.length + Buffer.concat(formats).length + 4 + 6 + name.length + end.length;
  const boundSheet = Buffer.concat([Buffer.alloc(6), name]);
  boundSheet.writeUInt32LE(offset, 0);
  const container = XLSX.CFB.utils.cfb_new();
  const stream = Buffer.concat([begin, ...formats, record(0x85, boundSheet), end, begin, ...cells, end]);
  XLSX.CFB.utils.cfb_add(container, '/Workbook', stream);
  return XLSX.CFB.write(container, { type: 'buffer' });
}

const ROSE = 9;
const palette = record(0x92, Buffer.concat([numbers(2), Buffer.from('0000000011223300', 'hex')]));
const formats = [
  font(0x7fff, 400),
  font(10, 700, 0x0a, 1),
  font(0x7fff, 400),
  font(0x7fff, 400),
  font(ROSE, 400),
  palette,
  format({}),
  format({ font: 1, alignment: 2 | 0x08, lines: 0x1001, pattern: 1, colors: 13 }),
  format({ font: 5 }),
];
const HEADING = { color: 'ff0000', bold: true, italic: true, underline: true, strike: true };

test('the cells of an xls file have the fonts, fills, borders and alignment of their formats', () => {
  const cells = [
    record(0xfd, numbers(0, 0, 1, 0, 0)),
    record(0xbe, numbers(1, 0, 2, 1, 1)),
    record(0x7d, numbers(3, 4, 2560, 2)),
    record(0x208, Buffer.concat([numbers(2, 0, 0, 255, 0, 0), Buffer.from([0x80, 0, 2, 0])])),
  ];
  const styleOf = readXlsAppearance(makeXls(formats, cells)).stylesOf('表1');
  if (!styleOf) throw new Error('the sheet has no styles');
  const heading = { ...HEADING, fill: 'ffff00', borders: 'bl', align: 'center', wrap: true };
  expect(styleOf(0, 0, undefined)).toEqual(heading);
  expect([0, 1].map((column) => styleOf(1, column, undefined))).toEqual([{ color: '112233' }, heading]);
  expect(styleOf(2, 7, undefined)).toEqual({ color: '112233' });
  expect(styleOf(5, 4, undefined)).toEqual({ color: '112233' });
  expect(styleOf(5, 5, undefined)).toBeUndefined();
  expect(styleOf(5, 5, { t: 'n', v: 1 })).toEqual({ align: 'right' });
});

test('the panes of an xls file are frozen only if its window says so', () => {
  const pane = record(0x41, numbers(1, 3, 3, 1, 0));
  const frozenPanes = (window: number) =>
    readXlsAppearance(makeXls(formats, [record(0x23e, numbers(window, 0, 0)), pane])).frozenPanes.get('表1');
  expect(frozenPanes(0x06be)).toEqual({ rows: 3, columns: 1 });
  expect(frozenPanes(0x06b6)).toBeUndefined();
});

test('a file that is no workbook of Excel 97 has no styles', () => {
  expect(readXlsAppearance(Buffer.from([9, 0, 4, 0, 2, 0])).stylesOf('表1')).toBeUndefined();
});
