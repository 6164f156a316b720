import { Readable } from 'node:stream';
import { formatDateTime } from '#platform/contract/format.ts';

export type CsvValue = string | number | boolean | null | undefined;
/** The title of a column, and the field it shows or how its text is made. */
export type CsvColumn<Row> = readonly [title: string, value: (keyof Row & string) | ((row: Row) => CsvValue)];

/** More than this belongs in a backup; a filter makes a list shorter. */
export const MAX_CSV_ROWS = 50_000;
const PAGE_ROWS = 500;

/** Without it Excel takes UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Spreadsheets run a text that begins with one of these as a formula. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** One value as RFC 4180 writes it; what people wrote is never run as a formula. */
export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (typeof value === 'number') return String(value);
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csvLine = (values: CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`;

/** Fields ending in `_at` are times. */
function fieldOf<Row>(row: Row, name: keyof Row & string, timeZone?: string): CsvValue {
  const value = row[name] as CsvValue;
  if (!name.endsWith('_at')) return value;
  return value ? formatDateTime(String(value), timeZone) : '';
}

type Read<Row> = (page: number, size: number) => Promise<Row[]>;
type Options = { maxRows?: number; pageRows?: number; timeZone?: string };

/**
 * A list as a CSV file, read page by page while it is sent. The first page is read at once, so that
 * a refusal is an answer and not half a file.
 */
export async function csvFile<Row extends object>(
  columns: readonly CsvColumn<Row>[],
  read: Read<Row>,
  { maxRows = MAX_CSV_ROWS, pageRows = PAGE_ROWS, timeZone }: Options = {},
): Promise<Readable> {
  const first = await read(1, pageRows);
  return Readable.from(linesOf(columns, first, read, { maxRows, pageRows, timeZone }));
}

async function* linesOf<Row extends object>(
  columns: readonly CsvColumn<Row>[],
  first: Row[],
  read: Read<Row>,
  { maxRows, pageRows, timeZone }: Options & { maxRows: number; pageRows: number },
): AsyncGenerator<string> {
  const lineOf = (row: Row) =>
    csvLine(columns.map(([, value]) => (typeof value === 'function' ? value(row) : fieldOf(row, value, timeZone))));
  yield BYTE_ORDER_MARK + csvLine(columns.map(([title]) => title));
  const written = new Set<unknown>();
  let rows = first;
  for (let page = 1; ; page++) {
    // Rows added meanwhile push others to the next page; nobody shall find them twice.
    const fresh = rows.filter((row) => !written.has(keyOf(row)));
    const room = maxRows - written.size;
    for (const row of fresh) written.add(keyOf(row));
    yield fresh.slice(0, room).map(lineOf).join('');
    if (fresh.length > room) {
      yield csvLine([`已到 ${maxRows} 条的上限，其余没有导出；请缩小筛选范围后再导出`]);
      return;
    }
    if (rows.length < pageRows || fresh.length === 0) return;
    rows = await read(page + 1, pageRows);
  }
}

const keyOf = (row: object): unknown => ('id' in row ? row.id : JSON.stringify(row));
