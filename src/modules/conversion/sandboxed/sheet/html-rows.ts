import { Parser } from 'htmlparser2';
import { createHiddenElementPredicate } from '../web-page/remove-hidden-html.ts';
import { readStyleSheets } from '../web-page/style-sheets.ts';
import { cellFormatterFinder } from './html-number-format.ts';
import {
  beginHtmlCell,
  beginHtmlRow,
  createHtmlTableState,
  declareHtmlColumns,
  type HtmlTable,
  isNextColumnHidden,
  putHtmlCell,
} from './html-table-state.ts';
import { cleanCellText, MAX_ROWS_WITHOUT_STREAMING } from './limits.ts';

type Attributes = Record<string, string>;
/** `number`: row number in Excel, from 1. `hiddenColumns`: those of its table, sorted; null for text beside tables. */
type HtmlRow = { cells: string[]; number: number; hiddenColumns: number[] | null };

const MAX_CELL_CHARACTERS = 10_000;
const lineBreaks = new Set(['br', 'p', 'div', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'caption']);
const rowGroups = new Set(['thead', 'tbody', 'tfoot']);
const isCell = (name: string) => name === 'td' || name === 'th';
const voidElements = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/**
 * Reads the rows of all tables of a page in reading order, and the text between them. A table inside a cell yields
 * separate rows. Text is not interpreted, so that long numbers are not rounded.
 */
export function readHtmlRows(html: string): { rows: HtmlRow[]; total: number } {
  const styleSheets = readStyleSheets(html);
  const reader = createHtmlRowReader(
    createHiddenElementPredicate(styleSheets, 'sheet'),
    cellFormatterFinder(styleSheets),
  );
  const parser = new Parser(
    { onopentag: reader.open, onclosetag: reader.close, ontext: reader.text },
    { decodeEntities: true },
  );
  parser.end(html);
  reader.finish();
  return reader.result;
}

function createHtmlRowReader(
  isHiddenElement: ReturnType<typeof createHiddenElementPredicate>,
  findFormatter: ReturnType<typeof cellFormatterFinder>,
) {
  const tables: HtmlTable[] = [];
  const writer = createHtmlRowWriter(tables);
  /** Number of open elements within a hidden element, including itself. */
  let hiddenDepth = 0;
  /** Value of `hiddenDepth` beside a hidden row: 1 in a hidden group of rows. */
  let hiddenRowDepth = 0;
  const openHidden = (name: string, attributes: Attributes, isHidden: boolean) => {
    const table = tables.at(-1);
    if (hiddenDepth === 0) hiddenRowDepth = rowGroups.has(name) ? 1 : 0;
    if (name === 'tr' && hiddenDepth === hiddenRowDepth) writer.beginHtmlRow(true);
    else if (table && isCell(name) && hiddenDepth === (table.isRowHidden ? hiddenRowDepth + 1 : 0)) {
      if (!table.row) writer.beginHtmlRow(false);
      // Browsers give a hidden cell no column. Programs that hide a column hide its cells, too.
      if (!isHidden || isNextColumnHidden(table)) {
        beginHtmlCell(table, attributes, null);
        putHtmlCell(table, '');
      }
    }
    hiddenDepth += voidElements.has(name) ? 0 : 1;
  };
  return {
    result: writer.result,
    open(name: string, attributes: Attributes) {
      const isHidden = isHiddenElement(name, attributes);
      if (name === 'col') declareHtmlColumns(tables.at(-1), attributes, isHidden);
      if (hiddenDepth > 0 || isHidden) openHidden(name, attributes, isHidden);
      else if (name === 'table') {
        writer.breakRow();
        tables.push(createHtmlTableState());
      } else if (name === 'tr') writer.beginHtmlRow(false);
      else if (isCell(name)) {
        if (!tables.at(-1)?.row) writer.beginHtmlRow(false);
        beginHtmlCell(tables.at(-1), attributes, findFormatter(attributes));
      } else if (lineBreaks.has(name)) writer.addText('\n');
    },
    text(part: string) {
      if (hiddenDepth === 0) writer.addText(part.replace(/[\s\u00a0]+/g, ' '));
    },
    close(name: string) {
      if (hiddenDepth > 0) {
        hiddenDepth -= voidElements.has(name) ? 0 : 1;
        if (hiddenDepth === hiddenRowDepth && tables.at(-1)?.isRowHidden) writer.endRow();
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
function createHtmlRowWriter(tables: HtmlTable[]) {
  const result = { rows: [] as HtmlRow[], total: 0 };
  let text = '';
  let hiddenRows = 0;
  const addRow = (cells: string[], hiddenColumns: number[] | null) => {
    result.total++;
    const number = result.total + hiddenRows;
    if (result.rows.length < MAX_ROWS_WITHOUT_STREAMING) result.rows.push({ cells, number, hiddenColumns });
  };
  const endCell = () => {
    const cell = cleanCellText(text.replace(/ *\n\s*/g, '\n').trim());
    text = '';
    const table = tables.at(-1);
    if (table?.row) putHtmlCell(table, table.formatCell?.(cell) ?? cell);
    // Text outside of rows becomes a row with one cell.
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
        [...hiddenColumns].sort((a, b) => a - b),
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
    beginHtmlRow(isHidden: boolean) {
      endRow();
      beginHtmlRow(tables.at(-1), isHidden);
    },
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
