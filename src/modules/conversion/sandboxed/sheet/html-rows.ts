import { Parser } from 'htmlparser2';
import { leftOutTest } from '../web-page/remove-hidden-html.ts';
import { cellText, MAX_COLUMNS, MAX_ROWS } from './limits.ts';

type Attributes = Record<string, string>;
type Table = {
  row: string[] | null;
  /** How many columns of the row are taken, also by cells of rows above. */
  column: number;
  /** For each column, in how many of the next rows a cell from above covers it. */
  covered: number[];
  hiddenColumns: Set<number>;
  declaredColumns: number;
  span: { columns: number; rows: number };
};

const MAX_CELL_CHARACTERS = 10_000;
const lineBreaks = new Set(['br', 'p', 'div', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'caption']);
const voidElements = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' ',
  ),
);

const spanOf = (value: string | undefined, max: number) =>
  Math.min(max, Math.max(1, Number.parseInt(value ?? '1', 10) || 1));

/**
 * The rows of all tables of a page in reading order, with the text that stands between them. A table
 * inside a cell, as layouts use it, gives rows of its own. Text is taken as it is written: a long
 * number is not rounded.
 */
export function readHtmlRows(html: string): { rows: string[][]; total: number } {
  const reader = rowReader(leftOutTest(html));
  const parser = new Parser(
    { onopentag: reader.open, onclosetag: reader.close, ontext: reader.text },
    { decodeEntities: true },
  );
  parser.end(html);
  reader.finish();
  return reader.result;
}

function rowReader(isLeftOut: ReturnType<typeof leftOutTest>) {
  const tables: Table[] = [];
  const writer = rowWriter(tables);
  /** Open elements inside one that is left out, that one included. */
  let leftOut = 0;
  return {
    result: writer.result,
    open(name: string, attributes: Attributes) {
      const isHidden = isLeftOut(name, attributes);
      if (name === 'col') addColumn(tables.at(-1), attributes, isHidden);
      if (leftOut > 0 || isHidden) leftOut += voidElements.has(name) ? 0 : 1;
      else if (name === 'table') {
        writer.breakRow();
        tables.push(newTable());
      } else if (name === 'tr') beginRow(tables.at(-1));
      else if (name === 'td' || name === 'th') beginCell(tables.at(-1), attributes);
      else if (lineBreaks.has(name)) writer.addText('\n');
    },
    text(part: string) {
      if (leftOut === 0) writer.addText(part.replace(/[\s\u00a0]+/g, ' '));
    },
    close(name: string) {
      if (leftOut > 0) leftOut -= voidElements.has(name) ? 0 : 1;
      else if (name === 'td' || name === 'th') writer.endCell();
      else if (name === 'tr') writer.endRow();
      else if (name === 'table') {
        writer.breakRow();
        tables.pop();
      } else if (tables.length === 0 && lineBreaks.has(name)) writer.endCell();
    },
    finish: writer.breakRow,
  };
}

/** Collects text into cells and cells into rows of the innermost table. */
function rowWriter(tables: Table[]) {
  const result = { rows: [] as string[][], total: 0 };
  let text = '';
  const addRow = (row: string[]) => {
    result.total++;
    if (result.rows.length < MAX_ROWS) result.rows.push(row);
  };
  const endCell = () => {
    const cell = cellText(text.replace(/ *\n\s*/g, '\n').trim());
    text = '';
    const table = tables.at(-1);
    if (table?.row) putCell(table, cell);
    // Text outside of tables is a row of one cell.
    else if (cell) addRow([cell]);
  };
  const endRow = () => {
    if (text.trim()) endCell();
    const table = tables.at(-1);
    if (!table?.row) return;
    addRow(table.row.filter((_, column) => !table.hiddenColumns.has(column)));
    for (let column = table.column; column < table.covered.length; column++)
      table.covered[column] = Math.max(0, (table.covered[column] ?? 0) - 1);
    table.row = null;
  };
  return {
    result,
    endCell,
    endRow,
    addText(part: string) {
      if (text.length < MAX_CELL_CHARACTERS) text += part;
    },
    /** A row without any text around an inner table is part of the layout and no row. */
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
  column: 0,
  covered: [],
  hiddenColumns: new Set(),
  declaredColumns: 0,
  span: { columns: 1, rows: 1 },
});

function addColumn(table: Table | undefined, { span }: Attributes, isHidden: boolean): void {
  if (!table) return;
  const from = table.declaredColumns;
  table.declaredColumns += spanOf(span, MAX_COLUMNS);
  if (!isHidden) return;
  for (let column = from; column < Math.min(table.declaredColumns, MAX_COLUMNS); column++)
    table.hiddenColumns.add(column);
}

function beginRow(table: Table | undefined): void {
  if (!table) return;
  table.row = [];
  table.column = 0;
}

function beginCell(table: Table | undefined, { colspan, rowspan }: Attributes): void {
  if (!table) return;
  table.row ??= [];
  table.span = { columns: spanOf(colspan, MAX_COLUMNS), rows: spanOf(rowspan, MAX_ROWS) };
}

/** The text of a cell stands in the first of the columns that it covers. */
function putCell(table: Table, cell: string): void {
  const { row, covered, span } = table;
  if (!row) return;
  while ((covered[table.column] ?? 0) > 0) {
    covered[table.column] = (covered[table.column] ?? 0) - 1;
    row[table.column++] = '';
  }
  for (let index = 0; index < span.columns && table.column < MAX_COLUMNS; index++) {
    row[table.column] = index === 0 ? cell : '';
    covered[table.column] = span.rows - 1;
    table.column++;
  }
  table.span = { columns: 1, rows: 1 };
}
