import type { CellFormatter } from './html-number-format.ts';
import { MAX_COLUMNS, MAX_ROWS_WITHOUT_STREAMING } from './limits.ts';

type Attributes = Record<string, string>;

/** The state of a table while its rows are read. */
export type HtmlTable = {
  row: string[] | null;
  /** Cells of a hidden row take their columns, but are not part of the result. */
  isRowHidden: boolean;
  /** Number of filled columns of the row, including cells that span from rows above. */
  column: number;
  /** For each column, the number of following rows that a cell from above covers. */
  coveredRows: number[];
  hiddenColumns: Set<number>;
  declaredColumns: number;
  span: { columns: number; rows: number };
  /** Number format of the current cell. */
  formatCell: CellFormatter | null;
};

const parseSpan = (value: string | undefined, max: number) =>
  Math.min(max, Math.max(1, Number.parseInt(value ?? '1', 10) || 1));

export const createHtmlTableState = (): HtmlTable => ({
  row: null,
  isRowHidden: false,
  column: 0,
  coveredRows: [],
  hiddenColumns: new Set(),
  declaredColumns: 0,
  span: { columns: 1, rows: 1 },
  formatCell: null,
});

export function declareHtmlColumns(table: HtmlTable | undefined, { span }: Attributes, isHidden: boolean): void {
  if (!table) return;
  const from = table.declaredColumns;
  table.declaredColumns += parseSpan(span, MAX_COLUMNS);
  if (!isHidden) return;
  for (let column = from; column < Math.min(table.declaredColumns, MAX_COLUMNS); column++)
    table.hiddenColumns.add(column);
}

export function beginHtmlRow(table: HtmlTable | undefined, isRowHidden: boolean): void {
  if (!table) return;
  table.row = [];
  table.isRowHidden = isRowHidden;
  table.column = 0;
}

export function beginHtmlCell(
  table: HtmlTable | undefined,
  { colspan, rowspan }: Attributes,
  formatCell: CellFormatter | null,
): void {
  if (!table) return;
  table.span = { columns: parseSpan(colspan, MAX_COLUMNS), rows: parseSpan(rowspan, MAX_ROWS_WITHOUT_STREAMING) };
  table.formatCell = formatCell;
}

/** Fills the columns that cells from rows above cover. */
function skipCoveredColumns(table: HtmlTable, row: string[]): void {
  const { coveredRows } = table;
  while ((coveredRows[table.column] ?? 0) > 0) {
    coveredRows[table.column] = (coveredRows[table.column] ?? 0) - 1;
    row[table.column++] = '';
  }
}

/** Whether the next cell of the row lies in a hidden column. */
export function isNextColumnHidden(table: HtmlTable): boolean {
  if (table.row) skipCoveredColumns(table, table.row);
  return table.hiddenColumns.has(table.column);
}

/** The first visible column of a spanning cell shows its text. */
export function putHtmlCell(table: HtmlTable, cell: string): void {
  const { row, coveredRows, hiddenColumns, span } = table;
  if (!row) return;
  skipCoveredColumns(table, row);
  let text = cell;
  for (let index = 0; index < span.columns && table.column < MAX_COLUMNS; index++) {
    const isVisible = !hiddenColumns.has(table.column);
    row[table.column] = isVisible ? text : '';
    if (isVisible) text = '';
    coveredRows[table.column] = span.rows - 1;
    table.column++;
  }
  table.span = { columns: 1, rows: 1 };
  table.formatCell = null;
}
