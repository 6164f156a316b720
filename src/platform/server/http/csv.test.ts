import { describe, expect, test } from 'vitest';
import { formatCsvCell, streamCsv } from './csv.ts';

describe('formatCsvCell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+86 138', "'+86 138"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t=1"'],
    ['\r=1', '"\'\r=1"'],
    ['＝1', "'＝1"],
    ['=HYPERLINK("http://evil.example","请点")', `"'=HYPERLINK(""http://evil.example"",""请点"")"`],
  ])('prefixes a text that spreadsheets would run as a formula: %j', (text, cell) => {
    expect(formatCsvCell(text)).toBe(cell);
  });

  test.each([
    ['说“好”', '说“好”'],
    ['说"好"', '"说""好"""'],
    ['甲,乙', '"甲,乙"'],
    ['第一行\n第二行', '"第一行\n第二行"'],
    ['a=b-c', 'a=b-c'],
    [-5, '-5'],
    [0, '0'],
    [true, '是'],
    [false, '否'],
    [null, ''],
    [undefined, ''],
  ])('formats %j as %j', (value, cell) => {
    expect(formatCsvCell(value)).toBe(cell);
  });
});

describe('streamCsv', () => {
  type Row = { id: number; created_at: string | null };
  const columns = [['编号', 'id'] as const, ['时间', 'created_at'] as const];
  const textOf = async (file: AsyncIterable<unknown>) => {
    let text = '';
    for await (const part of file) text += part;
    return text;
  };
  const rowsFrom = (from: number, to: number): Row[] =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({
      id: from + index,
      created_at: null,
    }));

  test('starts with a byte order mark and the column titles, and writes times in the default time zone', async () => {
    const read = async () => [{ id: 1, created_at: '2026-01-02T19:04:05Z' }];
    expect(await textOf(await streamCsv<Row>(columns, read))).toBe('\uFEFF编号,时间\r\n1,2026-01-03 03:04:05\r\n');
  });

  test('writes times in the given time zone', async () => {
    const read = async () => [{ id: 1, created_at: '2026-01-02T19:04:05Z' }];
    const text = await textOf(await streamCsv<Row>(columns, read, { timeZone: 'Europe/Berlin' }));
    expect(text).toContain('1,2026-01-02 20:04:05');
  });

  test('writes every row once when rows inserted during the export shift the pages', async () => {
    const pages: Row[][] = [rowsFrom(1, 3), rowsFrom(3, 5), rowsFrom(6, 6)];
    const read = async (page: number) => pages[page - 1] ?? [];
    const text = await textOf(await streamCsv<Row>(columns, read, { pageRows: 3 }));
    expect(text.split('\r\n').slice(1, -1)).toEqual(['1,', '2,', '3,', '4,', '5,', '6,']);
  });

  test('stops at the row limit and says so in the last line', async () => {
    const requestedPages: number[] = [];
    const read = async (page: number, size: number) => {
      requestedPages.push(page);
      return rowsFrom((page - 1) * size + 1, page * size);
    };
    const text = await textOf(await streamCsv<Row>(columns, read, { pageRows: 2, maxRows: 5 }));
    const lines = text.split('\r\n').slice(1, -1);
    expect(lines).toHaveLength(6);
    expect(lines[5]).toBe('已到 5 条的上限，其余没有导出；请缩小筛选范围后再导出');
    expect(requestedPages).toEqual([1, 2, 3]);
  });

  test('writes no limit notice when the number of rows equals the limit', async () => {
    const read = async (page: number) => (page === 1 ? rowsFrom(1, 4) : []);
    const text = await textOf(await streamCsv<Row>(columns, read, { pageRows: 4, maxRows: 4 }));
    expect(text).not.toContain('上限');
  });

  test('rejects before sending anything when the first page cannot be read', async () => {
    const read = async () => {
      throw new Error('first page failed');
    };
    await expect(streamCsv<Row>(columns, read)).rejects.toThrow('first page failed');
  });
});
