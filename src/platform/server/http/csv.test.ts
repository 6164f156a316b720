import { describe, expect, test } from 'vitest';
import { csvCell, csvFile } from './csv.ts';

describe('a cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+86 138', "'+86 138"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t=1"'],
    ['\r=1', '"\'\r=1"'],
    ['＝1', "'＝1"],
    ['=HYPERLINK("http://evil.example","请点")', `"'=HYPERLINK(""http://evil.example"",""请点"")"`],
  ])('that would run as a formula is text: %j', (written, cell) => {
    expect(csvCell(written)).toBe(cell);
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
  ])('of %j is written %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });
});

describe('a file', () => {
  type Row = { id: number; created_at: string | null };
  const columns = [['编号', 'id'] as const, ['时间', 'created_at'] as const];
  const textOf = async (file: AsyncIterable<unknown>) => {
    let text = '';
    for await (const part of file) text += part;
    return text;
  };
  const rowsFrom = (from: number, to: number): Row[] =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({
      id: from + at,
      created_at: null,
    }));

  test('begins with the mark Excel needs, then the titles; times are those of the site', async () => {
    const read = async () => [{ id: 1, created_at: '2026-01-02T19:04:05Z' }];
    expect(await textOf(await csvFile<Row>(columns, read))).toBe('\uFEFF编号,时间\r\n1,2026-01-03 03:04:05\r\n');
  });

  test('writes times in the zone it is given', async () => {
    const read = async () => [{ id: 1, created_at: '2026-01-02T19:04:05Z' }];
    const text = await textOf(await csvFile<Row>(columns, read, { timeZone: 'Europe/Berlin' }));
    expect(text).toContain('1,2026-01-02 20:04:05');
  });

  test('has every row once, also when new ones push the others along', async () => {
    const pages: Row[][] = [rowsFrom(1, 3), rowsFrom(3, 5), rowsFrom(6, 6)];
    const read = async (page: number) => pages[page - 1] ?? [];
    const text = await textOf(await csvFile<Row>(columns, read, { pageRows: 3 }));
    expect(text.split('\r\n').slice(1, -1)).toEqual(['1,', '2,', '3,', '4,', '5,', '6,']);
  });

  test('ends at the limit and says so', async () => {
    const asked: number[] = [];
    const read = async (page: number, size: number) => {
      asked.push(page);
      return rowsFrom((page - 1) * size + 1, page * size);
    };
    const text = await textOf(await csvFile<Row>(columns, read, { pageRows: 2, maxRows: 5 }));
    const lines = text.split('\r\n').slice(1, -1);
    expect(lines).toHaveLength(6);
    expect(lines[5]).toBe('已到 5 条的上限，其余没有导出；请缩小筛选范围后再导出');
    expect(asked).toEqual([1, 2, 3]);
  });

  test('of exactly as many rows as the limit says nothing of one', async () => {
    const read = async (page: number) => (page === 1 ? rowsFrom(1, 4) : []);
    const text = await textOf(await csvFile<Row>(columns, read, { pageRows: 4, maxRows: 4 }));
    expect(text).not.toContain('上限');
  });

  test('that cannot be begun is refused before anything of it is sent', async () => {
    const read = async () => {
      throw new Error('refused');
    };
    await expect(csvFile<Row>(columns, read)).rejects.toThrow('refused');
  });
});
