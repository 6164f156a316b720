import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import XLSX from '@e965/xlsx';
import { afterAll, describe, expect, test } from 'vitest';
import { makeWorkbook } from '../../workbook.fixture.ts';
import { rewriteXlsbPart } from '../../xlsb.fixture.ts';
import type { WorkbookFormat } from './sheet.ts';
import { readWorkbook } from './workbook.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'built-in-formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** 1 February 2024 at 18:05:09, and 20 December 2024 at 00:30. */
const EVENING = 45_323 + (18 * 3600 + 5 * 60 + 9) / 86_400;
const NIGHT = 45_646 + 30 / 1_440;

/** Texts of both values in Excel on a Chinese system. */
const builtInFormats: [id: number, evening: string, night: string][] = [
  [14, '2024/2/1', '2024/12/20'],
  [22, '2024/2/1 18:05', '2024/12/20 0:30'],
  [27, '2024年2月', '2024年12月'],
  [28, '2月1日', '12月20日'],
  [29, '2月1日', '12月20日'],
  [30, '2-1-24', '12-20-24'],
  [31, '2024年2月1日', '2024年12月20日'],
  [32, '18时05分', '0时30分'],
  [33, '18时05分09秒', '0时30分00秒'],
  [34, '下午6时05分', '上午12时30分'],
  [35, '下午6时05分09秒', '上午12时30分00秒'],
  [36, '2024年2月', '2024年12月'],
  [50, '2024年2月', '2024年12月'],
  [51, '2月1日', '12月20日'],
  [52, '2024年2月', '2024年12月'],
  [53, '2月1日', '12月20日'],
  [54, '2月1日', '12月20日'],
  [55, '下午6时05分', '上午12时30分'],
  [56, '下午6时05分09秒', '上午12时30分00秒'],
  [57, '2024年2月', '2024年12月'],
  [58, '2月1日', '12月20日'],
  // Formats that are equal on every system.
  [2, '45323.75', '45646.02'],
  [20, '18:05', '0:30'],
];

const read = async (format: WorkbookFormat, bytes: Buffer | string) => {
  const file = path.join(folder, `book.${format}`);
  writeFileSync(file, bytes);
  return (await readWorkbook(file, format)).flatMap(({ rows }) => rows.map(([text]) => text));
};

const cells = [[{ v: EVENING, z: '0.00' }], [{ v: NIGHT, z: '0.00' }]];
/** Written before any workbook is read: later the library would declare the formats that it has loaded. */
const xlsx = makeWorkbook('xlsx', [{ name: '格式', rows: cells }]);
const xlsb = makeWorkbook('xlsb', [{ name: '格式', rows: cells }]);
const xls = makeWorkbook('xls', [{ name: '格式', rows: cells }]);

function rewritePart(bytes: Buffer, part: string, rewrite: (content: Buffer) => Buffer): Buffer {
  const container = XLSX.CFB.read(bytes, { type: 'buffer' });
  const entry = XLSX.CFB.find(container, part);
  entry.content = rewrite(Buffer.from(entry.content));
  entry.size = entry.content.length;
  return XLSX.CFB.write(container, { type: 'buffer', fileType: part.endsWith('.xml') ? 'zip' : 'cfb' });
}

const rewriteStyles = (rewrite: (xml: string) => string) =>
  rewritePart(xlsx, '/xl/styles.xml', (content) => Buffer.from(rewrite(content.toString('utf8'))));

const XF_RECORD = 0xe0;
/** Record of a cell format in xlsb, with one byte each for type and length. */
const XLSB_XF_RECORD = 47;

/** The format 0.00 of the fixture has the number 2. */
const workbooks = {
  xlsx: (id: number) => rewriteStyles((xml) => xml.replaceAll('numFmtId="2"', `numFmtId="${id}"`)),
  xls: (id: number) =>
    rewritePart(xls, '/Workbook', (book) => {
      for (let at = 0; at + 8 <= book.length; at += 4 + book.readUInt16LE(at + 2))
        if (book.readUInt16LE(at) === XF_RECORD && book.readUInt16LE(at + 6) === 2) book.writeUInt16LE(id, at + 6);
      return book;
    }),
  xlsb: (id: number) =>
    rewriteXlsbPart(xlsb, '/xl/styles.bin', ({ type, bytes }) => {
      if (type === XLSB_XF_RECORD && bytes.readUInt16LE(4) === 2) bytes.writeUInt16LE(id, 4);
      return bytes;
    }),
};

describe.each(['xlsx', 'xls', 'xlsb'] as const)('a cell of a workbook (%s)', (format) => {
  test.each(builtInFormats)('with the built-in format %d is shown as "%s" and "%s"', async (id, evening, night) => {
    expect(await read(format, workbooks[format](id))).toEqual([evening, night]);
  });
});

describe('the styles of a workbook', () => {
  const DECLARED_FORMAT = '<numFmt numFmtId="31" formatCode="yyyy.mm"/>';
  const applyFormat31 = (xml: string) => xml.replaceAll('numFmtId="2"', 'numFmtId="31"');
  const withFormats = (formats: string) =>
    rewriteStyles((xml) =>
      applyFormat31(xml.replace(/<numFmts.*<\/numFmts>/, '').replace(/<styleSheet[^>]*>/, (start) => start + formats)),
    );

  test('that declare a built-in format replace it', async () => {
    expect(await read('xlsx', withFormats(`<numFmts count="1">${DECLARED_FORMAT}</numFmts>`))).toEqual([
      '2024.02',
      '2024.12',
    ]);
  });

  test.each(['', '<numFmts count="0"/>', '<numFmts count="0"></numFmts>'])(
    'that declare no format (%s) use the built-in one',
    async (formats) => expect(await read('xlsx', withFormats(formats))).toEqual(['2024年2月1日', '2024年12月20日']),
  );
});

test.each([
  ['Short Date', '2024/2/1'],
  ['General Date', '2024/2/1 18:05'],
  ['Long Date', '2024年2月1日'],
])('a cell of Excel 2003 XML with the format %s is shown as "%s"', async (name, text) => {
  const book = `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<Styles><Style ss:ID="s1"><NumberFormat ss:Format="${name}"/></Style></Styles>
<Worksheet ss:Name="格式"><Table><Row><Cell ss:StyleID="s1"><Data ss:Type="Number">${EVENING}</Data></Cell></Row></Table></Worksheet></Workbook>`;
  expect(await read('spreadsheetml', book)).toEqual([text]);
});
