import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { processCpuMs } from '#testing/processor-time.ts';
import { webPage } from '../../markup.fixture.ts';
import { readHtmlSheets } from './html-sheets.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'html-number-format-'));
afterAll(() => rmSync(folder, { recursive: true }));

const readCells = (cells: string, head = '') => {
  const file = path.join(folder, 'book.xls');
  writeFileSync(file, webPage(`<table><tr>${cells}</tr></table>`, head));
  return readHtmlSheets(file)[0]?.rows[0];
};

test.each([
  ['a date format', "mso-number-format:'yyyy\\-mm\\-dd'", '45323', '2024-02-01'],
  ['a date format without quotes', 'mso-number-format:yyyy\\/m\\/d', '45323', '2024/2/1'],
  [
    'a format with escaped quotes',
    "mso-number-format:'yyyy\\0022年\\0022m\\0022月\\0022d\\0022日\\0022\\;\\@'",
    '45323',
    '2024年2月1日',
  ],
  ['a named date format', "mso-number-format:'Short Date'", '45323', '2024/2/1'],
  ['the property of other programs', 'vnd.ms-excel.numberformat:yyyy-mm-dd hh:mm', '45323.75', '2024-02-01 18:00'],
  ['a number format', "mso-number-format:'\\#\\,\\#\\#0\\.00'", '1234.5', '1,234.50'],
  ['a text format', "mso-number-format:'\\@'", '00045323', '00045323'],
  ['the general format', 'mso-number-format:General', '45323', '45323'],
  ['a date format and a date', "mso-number-format:'yyyy\\-mm\\-dd'", '2024年2月1日', '2024年2月1日'],
  ['a number format and 18 digits', "mso-number-format:'0'", '110101199003071234', '110101199003071234'],
])('a cell of a web page with %s (%s) shows %s as %s', (_, style, text, expected) => {
  const cell = `<td style="${style}">${text}</td>`;
  expect(readCells(cell)).toEqual([expected]);
});

test('cells of a web page have the number format of their class, but marked texts have none', () => {
  const style =
    '<style><!-- td {mso-number-format:General;} .xl65, td.xl66 {mso-style-parent:style0; mso-number-format:"yyyy\\/m\\/d";} --></style>';
  const cells = '<td class=xl65>45323</td><td class="a xl66">45324</td><td class=xl65 x:str>45323</td><td>45323</td>';
  expect(readCells(cells, style)).toEqual(['2024/2/1', '2024/2/2', '45323', '45323']);
});

const formattedCell = (text: string, format: string, attributes = '') =>
  `<td style="mso-number-format:'${format}'" ${attributes}>${text}</td>`;

describe('a cell of a web page with the attribute x:num', () => {
  test.each([
    ['yyyy', '45323', '2024', '2024'],
    ['#,##0,', '345000', '345', '345'],
    ['0.00,,', '12345678', '12.35', '12.35'],
    ['[h]', '0.333333333333333', '8', '8'],
    ['[h]:mm', '1.5', '36:00', '36:00'],
    ['yyyy-mm-dd', '45323', '########', '2024-02-01'],
    ['0.00', '1.2344999999999999E-3', '0.00', '0.00'],
    ['0.00', '', '2.5', '2.50'],
    ['0.00', 'x', '2.5', '2.50'],
    ['General', '0.333333333333333', '0.33', '0.33'],
  ])('and the format %s shows the number "%s" with the text %s as %s', (format, number, text, expected) => {
    expect(readCells(formattedCell(text, format, `x:num="${number}"`))).toEqual([expected]);
  });
});

describe('a number without the attribute x:num in a cell of a web page', () => {
  test.each([
    ['a date', 'yyyy年m月d日', '45323', '2024年2月1日'],
    ['a date without separators', 'yyyymmdd', '45323', '20240201'],
    ['a date without a year', 'm月d日', '45323', '2月1日'],
    ['a time', 'h:mm', '0.75', '18:00'],
    ['a fixed number of decimals', '0.00;[Red]-0.00', '2.5', '2.50'],
    ['groups of digits', '#,##0', '1234567', '1,234,567'],
    ['a percentage', '0%', '0.5', '50%'],
    ['an exponent', '0.0E+00', '12345', '1.2E+04'],
    ['a unit in quotes', '0.0&quot; days&quot;', '2', '2.0 days'],
  ])('is formatted as %s (%s): %s as %s', (_, format, text, expected) => {
    expect(readCells(formattedCell(text, format))).toEqual([expected]);
  });

  test.each([
    ['a year', 'yyyy', '2024'],
    ['a year and a serial number of a date', 'yyyy', '45323'],
    ['a month', 'mm', '12'],
    ['a day', 'd', '1'],
    ['a year and a month with a point', 'yyyy.m', '2024.2'],
    ['a year and a month without separators', 'yyyymm', '202402'],
    ['a date without separators', 'yymmdd', '240201'],
    ['a date without separators that begins with zero', 'yymmdd', '051231'],
    ['a date and a small number', 'yyyy-mm-dd', '12'],
    ['a date outside of the calendar', 'yyyy-mm-dd', '20240201'],
    ['a time and a number of hours', 'h:mm', '8'],
    ['elapsed hours', '[h]', '8'],
    ['elapsed hours and minutes', '[h]:mm', '8'],
    ['thousands', '#,##0,', '345'],
    ['millions', '0.00,,', '12.35'],
    ['millions with a unit', '0.00,,百万', '12.35'],
    ['tens of thousands', '0!.0,', '12.3'],
    ['tens of thousands without rounding', '0!.0000', '12.3456'],
  ])('stays as it is written in the format of %s (%s): %s', (_, format, text) => {
    expect(readCells(formattedCell(text, format))).toEqual([text]);
  });
});

test('readHtmlSheets reads a page with megabytes of one number format in less than five seconds of processor time', () => {
  const styles = ['"', "'", '\\', 'mso-number-format:'].map(
    (part) => `.a{mso-number-format:"${part.repeat(1_000_000)}}`,
  );
  const startedAt = processCpuMs();
  expect(readCells('<td>45323</td>', `<style>${styles.join('')}</style>`)).toEqual(['45323']);
  expect(processCpuMs() - startedAt).toBeLessThan(5_000);
});
