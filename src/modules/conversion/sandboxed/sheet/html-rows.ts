import { Parser } from 'htmlparser2';
import { hiddenElementTest } from '../web-page/remove-hidden-html.ts';
import { readStyleSheets } from '../web-page/style-sheets.ts';
import { type CellFormatter, cellFormatterFinder } from './html-number-format.ts';
import { cellText, MAX_COLUMNS, MAX_ROWS } from './limits.ts';

type Attributes = Record<string, string>;
type Table = {
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
/** `number`: row number in Excel, from 1. `hiddenColumns`: those of its table, sorted; null for text beside tables. */
type HtmlRow = { cells: string[]; number: number; hiddenColumns: number[] | null };

const MAX_CELL_CHARACTERS = 10_000;
const lineBreaks = new Set(['br', 'p', 'div', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'caption']);
const voidElements = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' ',
  ),
);

const parseSpan = (value: string | undefined, max: number) =>
  Math.min(max, Math.max(1, Number.parseInt(value ?? '1', 10) || 1));

/**
 * Reads the rows of all tables of a page in reading order, and the text between them. A table inside a cell yields
 * separate rows. Text is not interpreted, so that long numbers are not rounded.
 */
export function readHtmlRows(html: string): { rows: HtmlRow[]; total: number } {
  const styleSheets = readStyleSheets(html);
  const reader = rowReader(hiddenElementTest(styleSheets, 'sheet'), cellFormatterFinder(styleSheets));
  const parser = new Parser(
    { onopentag: reader.open, onclosetag: reader.close, ontext: reader.text },
    { decodeEntities: true },
  );
  parser.end(html);
  reader.finish();
  return reader.result;
}

function rowReader(
  isHiddenElement: ReturnType<typeof hiddenElementTest>,
  findFormatter: ReturnType<typeof cellFormatterFinder>,
) {
  const tables: Table[] = [];
  const writer = rowWriter(tables);
  /** Number of open elements within a hidden element, including itself. */
  let hiddenDepth = 0;
  const isCell = (name: string) => name === 'td' || name === 'th';
  const openHidden = (name: string, attributes: Attributes, isHidden: boolean) => {
    const table = tables.at(-1);
    if (hiddenDepth === 0 && name === 'tr') beginRow(table, true);
    else if (hiddenDepth === 1 && table?.isRowHidden && isCell(name) && !isHidden) {
      beginCell(table, attributes, null);
      putCell(table, '');
    }
    hiddenDepth += voidElements.has(name) ? 0 : 1;
  };
  return {
    result: writer.result,
    open(name: string, attributes: Attributes) {
      const isHidden = isHiddenElement(name, attributes);
      if (name === 'col') addColumn(tables.at(-1), attributes, isHidden);
      if (hiddenDepth > 0 || isHidden) openHidden(name, attributes, isHidden);
      else if (name === 'table') {
        writer.breakRow();
        tables.push(newTable());
      } else if (name === 'tr') beginRow(tables.at(-1), false);
      else if (isCell(name)) beginCell(tables.at(-1), attributes, findFormatter(attributes));
      else if (lineBreaks.has(name)) writer.addText('\n');
    },
    text(part: string) {
      if (hiddenDepth === 0) writer.addText(part.replace(/[\s\u00a0]+/g, ' '));
    },
    close(name: string) {
      if (hiddenDepth > 0) {
        hiddenDepth -= voidElements.has(name) ? 0 : 1;
        if (hiddenDepth === 0 && tables.at(-1)?.isRowHidden) writer.endRow();
      } else if (isCell(name)) writer.endCell();
      else if (name === 'tr') writer.endRow();
      else if (name === 'table') {
        writer.breakRow();
        tables.pop();
      } else if (tables.length === 0 && lineBreaks.has(name)) writer.endCell();
    },
    finish: writer.breakRow,
  };
}

/** Collects text into cells, and cells into rows of the innermost table. */
function rowWriter(tables: Table[]) {
  const result = { rows: [] as HtmlRow[], total: 0 };
  let text = '';
  let hiddenRows = 0;
  const addRow = (cells: string[], hiddenColumns: number[] | null) => {
    result.total++;
    const number = result.total + hiddenRows;
    if (result.rows.length < MAX_ROWS) result.rows.push({ cells, number, hiddenColumns });
  };
  const endCell = () => {
    const cell = cellText(text.replace(/ *\n\s*/g, '\n').trim());
    text = '';
    const table = tables.at(-1);
    if (table?.row) putCell(table, table.formatCell?.(cell) ?? cell);
    // Text outside of tables becomes a row with one cell.
    else if (cell) addRow([cell], null);
  };
  const endRow = () => {
    if (text.trim()) endCell();
    const table = tables.at(-1);
    if (!table?.row) return;
    const { hiddenColumns } = table;
    if (table.isRowHidden) hiddenRows++;
    else
      addRow(
        table.row.filter((_, column) => !hiddenColumns.has(column)),
        [...hiddenColumns].sort((one, other) => one - other),
      );
    for (let column = table.column; column < table.coveredRows.length; column++)
      table.coveredRows[column] = Math.max(0, (table.coveredRows[column] ?? 0) - 1);
    table.row = null;
    table.isRowHidden = false;
  };
  return {
    result,
    endCell,
    endRow,
    addText(part: string) {
      if (text.length < MAX_CELL_CHARACTERS) text += part;
    },
    /** A row that contains only an inner table is layout and is dropped. */
    breakRow() {
      if (text.trim()) endCell();
      const table = tables.at(-1);
      if (table?.row?.some(Boolean)) endRow();
      else if (table) table.row = null;
    },
  };
}

const newTable = (): Table => ({
  row: null,
  isRowHidden: false,
  column: 0,
  coveredRows: [],
  hiddenColumns: new Set(),
  declaredColumns: 0,
  span: { columns: 1, rows: 1 },
  formatCell: null,
});

function addColumn(table: Table | undefined, { span }: Attributes, isHidden: boolean): void {
  if (!table) return;
  const from = table.declaredColumns;
  table.declaredColumns += parseSpan(span, MAX_COLUMNS);
  if (!isHidden) return;
  for (let column = from; column < Math.min(table.declaredColumns, MAX_COLUMNS); column++)
    table.hiddenColumns.add(column);
}

function beginRow(table: Table | undefined, isRowHidden: boolean): void {
  if (!table) return;
  table.row = [];
  table.isRowHidden = isRowHidden;
  table.column = 0;
}

function beginCell(table: Table | undefined, { colspan, rowspan }: Attributes, formatCell: CellFormatter | null): void {
  if (!table) return;
  table.row ??= [];
  table.span = { columns: parseSpan(colspan, MAX_COLUMNS), rows: parseSpan(rowspan, MAX_ROWS) };
  table.formatCell = formatCell;
}

/** The first column of a spanning cell holds its text. */
function putCell(table: Table, cell: string): void {
  const { row, coveredRows, span } = table;
  if (!row) return;
  while ((coveredRows[table.column] ?? 0) > 0) {
    coveredRows[table.column] = (coveredRows[table.column] ?? 0) - 1;
    row[table.column++] = '';
  }
  for (let index = 0; index < span.columns && table.column < MAX_COLUMNS; index++) {
    row[table.column] = index === 0 ? cell : '';
    coveredRows[table.column] = span.rows - 1;
    table.column++;
  }
  table.span = { columns: 1, rows: 1 };
  table.formatCell = null;
}
