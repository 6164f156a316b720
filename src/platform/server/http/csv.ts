import { Readable } from 'node:stream';
import { formatDateTime } from '#platform/contract/date-time.ts';

export type CsvValue = string | number | boolean | null | undefined;
/** The title of a column, and the field that it shows or a function that computes its value. */
export type CsvColumn<Row> = readonly [title: string, value: (keyof Row & string) | ((row: Row) => CsvValue)];

export const MAX_CSV_ROWS = 50_000;
const PAGE_ROWS = 500;

/** Without it Excel does not recognize UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Spreadsheets run a text that begins with one of these as a formula. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** Formats a value by RFC 4180. A text that would run as a formula is prefixed with an apostrophe. */
export function formatCsvCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (typeof value === 'number') return String(value);
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const formatCsvLine = (values: CsvValue[]): string => `${values.map(formatCsvCell).join(',')}\r\n`;

/** Formats fields whose names end in `_at` as times. */
function formatFieldValue<Row>(row: Row, name: keyof Row & string, timeZone?: string): CsvValue {
  const value = row[name] as CsvValue;
  if (!name.endsWith('_at')) return value;
  return value ? formatDateTime(String(value), timeZone) : '';
}

type ReadPage<Row> = (page: number, size: number) => Promise<Row[]>;
type Options = { maxRows?: number; pageRows?: number; timeZone?: string };

/**
 * Reads a list page by page while the CSV file is sent. The first page is read before anything is sent, so that an error
 * gets an error response instead of an incomplete file.
 */
export async function streamCsv<Row extends object>(
  columns: readonly CsvColumn<Row>[],
  readPage: ReadPage<Row>,
  { maxRows = MAX_CSV_ROWS, pageRows = PAGE_ROWS, timeZone }: Options = {},
): Promise<Readable> {
  const firstPage = await readPage(1, pageRows);
  return Readable.from(generateLines(columns, firstPage, readPage, { maxRows, pageRows, timeZone }));
}

async function* generateLines<Row extends object>(
  columns: readonly CsvColumn<Row>[],
  firstPage: Row[],
  readPage: ReadPage<Row>,
  { maxRows, pageRows, timeZone }: Options & { maxRows: number; pageRows: number },
): AsyncGenerator<string> {
  const formatRow = (row: Row) =>
    formatCsvLine(
      columns.map(([, value]) => (typeof value === 'function' ? value(row) : formatFieldValue(row, value, timeZone))),
    );
  yield BYTE_ORDER_MARK + formatCsvLine(columns.map(([title]) => title));
  const writtenKeys = new Set<unknown>();
  let rows = firstPage;
  for (let page = 1; ; page++) {
    // Rows inserted during the export shift others to the next page; each row is written once.
    const newRows = rows.filter((row) => !writtenKeys.has(rowKey(row)));
    const remainingRows = maxRows - writtenKeys.size;
    for (const row of newRows) writtenKeys.add(rowKey(row));
    yield newRows.slice(0, remainingRows).map(formatRow).join('');
    if (newRows.length > remainingRows) {
      yield formatCsvLine([`已到 ${maxRows} 条的上限，其余没有导出；请缩小筛选范围后再导出`]);
      return;
    }
    if (rows.length < pageRows || newRows.length === 0) return;
    rows = await readPage(page + 1, pageRows);
  }
}

const rowKey = (row: object): unknown => ('id' in row ? row.id : JSON.stringify(row));
