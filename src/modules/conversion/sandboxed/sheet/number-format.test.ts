import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeOds, makeWorkbook } from '../../workbook.fixture.ts';
import { readWorkbook } from './workbook.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'number-format-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** 1 February 2024, a Thursday, at 18:05. */
const EVENING = 45_323 + (18 * 60 + 5) / 1_440;

/** Expected texts of Excel and WPS on a Chinese system. */
const formats: [code: string, value: number, text: string][] = [
  ['0', -1234.5, '-1235'],
  ['0元', -1234.5, '-1235元'],
  ['¥0', -2.5, '-¥3'],
  ['0.0', -1.25, '-1.3'],
  ['0%', -0.125, '-13%'],
  ['0', -0.3, '0'],
  ['0.00"元/1000克"', -0.001, '0.00元/1000克'],
  ['"已付"', -5, '-已付'],
  ['0;@', -2.5, '-3'],
  ['[DBNum1]0', -2.5, '-三'],
  ['yyyy年m月d日', 45_323, '2024年2月1日'],
  ['yyyy"年"m"月"d"日"', 45_323, '2024年2月1日'],
  ['[$-804]yyyy年m月d日', 45_323, '2024年2月1日'],
  ['yyyy年mm月dd日 hh时mm分ss秒', EVENING, '2024年02月01日 18时05分00秒'],
  ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 45_323, '2024年2月1日'],
  ['[$-F400]h:mm:ss\\ AM/PM', EVENING, '18:05:00'],
  ['h时mm分', EVENING, '18时05分'],
  ['上午/下午h时mm分', EVENING, '下午6时05分'],
  ['[$-804]AM/PM h"时"mm"分"', EVENING, '下午 6时05分'],
  ['[$-804]aaaa;@', 45_323, '星期四'],
  ['yyyy/m/d aaa', 45_323, '2024/2/1 四'],
  ['¥#,##0.00', 1234.5, '¥1,234.50'],
  ['￥#,##0.00', 1234.5, '￥1,234.50'],
  ['¥#,##0.00;[红色]¥-#,##0.00', -1234.5, '¥-1,234.50'],
  ['[$¥-804]#,##0.00', 1234.5, '¥1,234.50'],
  ['#,##0.00元', 1234.5, '1,234.50元'],
  ['0.0万', 12.34, '12.3万'],
  ['_ ¥* #,##0.00_ ', 1234.5, ' ¥1,234.50 '],
  ['_ ¥* #,##0.00_ ;_ ¥* -#,##0.00_ ;_ ¥* "-"??_ ;_ @_ ', -8, ' ¥-8.00 '],
  ['[DBNum1][$-804]yyyy"年"m"月"d"日"', 45_638, '二〇二四年十二月十二日'],
  ['[DBNum2][$-804]General', 10_203.5, '壹万零贰佰零叁.伍'],
  ['[DBNum1]General', 100_020_030, '一亿〇二万〇三十'],
  ['[DBNum1]0', 101, '一〇一'],
  ['[DBNum2]General"元整"', 1_200, '壹仟贰佰元整'],
  ['[DBNum2][$-804]G/通用格式', 1_001, '壹仟零壹'],
  ['G/通用格式"件"', 12, '12件'],
  ['[DBNum3]0', 42, '４２'],
  ['0.00', 2.345_67, '2.35'],
  ['yyyy/m/d', 45_323, '2024/2/1'],
  ['#,##0', 1_234_567, '1,234,567'],
  ['0!.0,"万"', 123_456, '12.3万'],
  ['0\\.0,"万"', 123_456, '12.3万'],
  ['0!.0,', 123_456, '12.3'],
  ['0!.0,"万"', -123_456, '-12.3万'],
  ['0!.0,"万";-0!.0,"万"', -123_456, '-12.3万'],
  ['0!.0,"万"', 500, '0.1万'],
  ['0!.0000"万"', 123_456, '12.3456万'],
  ['#,##0!.0,"万"', 123_456, '12.3万'],
  ['#,##0!.0,"万"', 12_345_678, '12,34.6万'],
  ['[>=10000]0!.0,"万";0', 9_000, '9000'],
  ['0!元', 12, '12元'],
  ['0.0E+00', 12_345, '1.2E+04'],
  ['[$-404]e"年"', 45_323, '113年'],
  ['[$-404]e/m/d', 45_323, '113/2/1'],
  ['e"年"', 45_323, '2024年'],
  ['[$-411]ggge"年"m"月"d"日"', 45_323, '令和6年2月1日'],
  ['[$-411]ggge"年"m"月"d"日";@', 43_586, '令和1年5月1日'],
  ['[$-ja-JP-x-gannen]ggge"年"m"月"d"日"', 43_586, '令和元年5月1日'],
  ['[$-411]ggge年m月d日', 43_585, '平成31年4月30日'],
  ['[$-411]ge.m.d', 32_515, 'S64.1.7'],
  ['[$-411]gee.mm.dd', 32_516, 'H01.01.08'],
  ['[$-1030411]gge"年"', 9_855, '大15年'],
  ['[$-411]ggge"年"', 4_594, '明治45年'],
  ['[DBNum1][$-411]ggge"年"m"月"d"日"', 45_323, '令和六年二月一日'],
  ['[$-411]m"月"d"日"(aaa)', 45_323, '2月1日(木)'],
  ['[$-411]dddd', 45_323, '木曜日'],
  ['[$-411]AM/PM h:mm', EVENING, '午後 6:05'],
  ['[$-404]ggge"年"m"月"d"日"', 45_323, '中華民國113年2月1日'],
  ['[$-804]ggge"年"m"月"d"日"', 45_323, '公元2024年2月1日'],
  ['[$-804]mmmm yyyy', 45_323, '二月 2024'],
  ['[$-zh-CN]dddd', 45_323, '星期四'],
  ['[$-x-sysdate]dddd, mmmm dd, yyyy', 45_323, '2024年2月1日'],
  ['[$-x-systime]h:mm:ss AM/PM', EVENING, '18:05:00'],
  ['yyyy.m.d', 45_323, '2024.2.1'],
  ['h:mm:ss.0', EVENING, '18:05:00.0'],
  ['@"元"', 12.5, '12.5元'],
  ['@元', 12.5, '12.5元'],
  ['@" yuan"', -3, '-3 yuan'],
  ['"约"@', 12, '约12'],
  ['@', 12, '12'],
  ['0;-0;0;@"元"', 12, '12'],
  // Excel shows ##### for numbers outside of its calendar.
  ['yyyy-mm-dd', 20_240_201, '20240201'],
  ['yyyy-mm-dd', -1, '-1'],
  ['yyyy年m月d日', 20_240_201, '20240201'],
  ['yyyy年m月d日', -1, '-1'],
  ['yyyy-mm-dd;@', -1.5, '-1.5'],
  ['[DBNum1]yyyy年m月d日', 20_240_201, '20240201'],
  ['aaaa', 20_240_201, '20240201'],
  ['[$-411]ggge"年"', 20_240_201, '20240201'],
  ['[h]:mm', -1, '-1'],
  ['yyyy-mm-dd;;', -1, ''],
  ['yyyy;""', -5, ''],
  ['yyyy;[Red]', -5, ''],
];

/** Expected texts of text cells. */
const textFormats: [code: string, value: string, text: string][] = [
  ['@"元"', '五', '五元'],
  ['@元', '五', '五元'],
  ['@!元', '五', '五元'],
  ['0;-0;0;约@元', '五', '约五元'],
  ['0元', '五', '五'],
  [';;;', '五', ''],
];

const read = async (format: 'xls' | 'xlsx' | 'ods', bytes: Buffer) => {
  const file = path.join(folder, `book.${format}`);
  writeFileSync(file, bytes);
  return (await readWorkbook(file, format)).flatMap(({ rows }) => rows.map(([text]) => text));
};

describe.each(['xls', 'xlsx'] as const)('a text cell of a workbook (%s)', async (format) => {
  // The last row is not empty, so that no row is trimmed.
  const rows = [...textFormats.map(([z, v]) => [{ v, z }]), ['末']];
  const texts = await read(format, makeWorkbook(format, [{ name: '格式', rows }]));

  test.each(textFormats.map(([code, value, text], index) => [code, value, text, index] as const))(
    'with the format %s shows %s as "%s"',
    (_code, _value, text, index) => expect(texts[index] ?? '').toBe(text),
  );
});

describe.each(['xls', 'xlsx'] as const)('a cell of a workbook (%s)', async (format) => {
  // The last row is not empty, so that no row is trimmed.
  const rows = [...formats.map(([z, v]) => [{ v, z }]), ['末']];
  const texts = await read(format, makeWorkbook(format, [{ name: '格式', rows }]));

  test.each(formats.map(([code, value, text], index) => [code, value, text, index] as const))(
    'with the format %s shows %d as "%s"',
    (_code, _value, text, index) => expect(texts[index] ?? '').toBe(text),
  );
});

test('cells of an OpenDocument workbook show the text that the file holds', async () => {
  const cell = (attributes: string, text: string) =>
    `<table:table-row><table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell></table:table-row>`;
  const book = makeOds(
    '',
    `<table:table table:name="格式">${cell('office:value-type="date" office:date-value="2024-02-01"', '2024年2月1日')}${cell('office:value-type="currency" office:currency="CNY" office:value="1234.5"', '￥1,234.50')}${cell('office:value-type="float" office:value="1200"', '壹仟贰佰元整')}${cell('office:value-type="time" office:time-value="PT18H05M00S"', '下午6时05分')}</table:table>`,
  );
  expect(await read('ods', book)).toEqual([...['2024年2月1日', '￥1,234.50', '壹仟贰佰元整', '下午6时05分']]);
});
