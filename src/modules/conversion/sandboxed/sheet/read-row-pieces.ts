import type XLSX from '@e965/xlsx';
import type { CellStyle } from '../../cell-style.contract.ts';
import type { Zip } from '../flow/zip-reader.ts';
import { cellText } from './arrange-sheet.ts';
import { PARSING_OPTIONS, parseZippedParts } from './built-in-formats.ts';
import type { SheetMarkup } from './divide-sheet-markup.ts';
import { MAX_COLUMNS, MAX_ROWS } from './limits.ts';
import { formatExcelCell } from './number-format.ts';
import type { RowBudget } from './row-budget.ts';
import type { SharedStrings } from './shared-strings.ts';
import { createTextCache } from './text-cache.ts';
import type { StyleAt, styleCache } from './visible-cell-styles.ts';
import { type StyleNumbers, scanStyleNumbers, styleNumberAt } from './xlsx-style-numbers.ts';

export type LargeBook = {
  zip: Zip;
  /** Bytes of rows that are parsed together. */
  blockBytes: number;
  /** Parts that every sheet needs, by path. */
  parts: ReadonlyMap<string, Buffer>;
  strings: SharedStrings;
  stringsPart: string;
  styleOf: ReturnType<typeof styleCache>;
  date1904: boolean;
};
export type SheetSource = { index: number; part: string; name: string };

type RowPieces = {
  head: Buffer;
  tail: Buffer;
  texts: string[][];
  rowProperties: XLSX.RowInfo[];
  /** Number of the last row of the file. */
  lastRow: number;
  isCut: boolean;
  styleAt: StyleAt;
};

/** Reads the rows of a sheet, some megabytes at a time. Rows beyond the budget are only counted. */
export async function readRowPieces(
  book: LargeBook,
  source: SheetSource,
  { markup, budget }: { markup: AsyncIterable<SheetMarkup>; budget: RowBudget },
): Promise<RowPieces> {
  const pieces = { head: Buffer.alloc(0), tail: Buffer.alloc(0) };
  const sheet = createSheetCollector(book, budget);
  let lastRow = 0;
  for await (const { part, bytes } of markup) {
    if (part !== 'rows') pieces[part] = Buffer.from(bytes);
    if (part === 'head') sheet.addColumnStyles(bytes);
    if (part !== 'rows') continue;
    const { rows, lastNumber } = numberFirstRow(bytes.toString('latin1'), lastRow);
    const firstUnreadRow = lastRow;
    lastRow = lastNumber;
    if (!sheet.isCut() && firstUnreadRow < MAX_ROWS)
      sheet.add(parseRows(book, source, { head: pieces.head, rows }), rows);
  }
  return { ...pieces, ...sheet.result(), lastRow, isCut: sheet.isCut() || lastRow > MAX_ROWS };
}

const ROW_TAG = /<(?:[\w.-]+:)?row(?=[\s/>])([^<>]*)>/g;
const ROW_NUMBER = /\sr\s*=\s*["'](\d{1,7})["']/;

/** Gives the first row of a piece its number: a row without one follows the previous row, which is in another piece. */
function numberFirstRow(rows: string, previousNumber: number): { rows: string; lastNumber: number } {
  let lastNumber = previousNumber;
  let isFirstWithoutNumber = false;
  for (const [, attributes = ''] of rows.matchAll(ROW_TAG)) {
    const number = Number(attributes.match(ROW_NUMBER)?.[1] ?? 0);
    if (number === 0 && lastNumber === previousNumber) isFirstWithoutNumber = true;
    lastNumber = number || lastNumber + 1;
  }
  if (!isFirstWithoutNumber) return { rows, lastNumber };
  return { rows: rows.replace(/<(?:[\w.-]+:)?row(?=[\s/>])/, (tag) => `${tag} r="${previousNumber + 1}"`), lastNumber };
}

const DATA_START = /<((?:[\w.-]+:)?)sheetData(?:\s[^<>]*)?>$/;

function parseRows(
  { parts, strings, stringsPart }: LargeBook,
  { index, part, name }: SheetSource,
  { head, rows }: { head: Buffer; rows: string },
): XLSX.WorkSheet {
  const cells = strings.select(rows);
  const [, prefix = ''] = DATA_START.exec(head.toString('latin1')) ?? [];
  const end = `</${prefix}sheetData></${prefix}worksheet>`;
  const sheet = Buffer.concat([head, Buffer.from(cells.rows, 'latin1'), Buffer.from(end)]);
  const workbook = parseZippedParts(new Map([...parts, [part, sheet], [stringsPart, cells.strings]]), {
    ...PARSING_OPTIONS,
    sheets: index,
  });
  return workbook.Sheets[name] ?? {};
}

function createSheetCollector({ date1904, styleOf }: LargeBook, budget: RowBudget) {
  const intern = createTextCache();
  const formatCell = (cell: XLSX.CellObject) => formatExcelCell(cell, date1904);
  const texts: string[][] = [];
  const styles: (CellStyle | undefined)[][] = [];
  const rowProperties: XLSX.RowInfo[] = [];
  const numbers: StyleNumbers = { cells: [], rows: [], columns: [] };
  let isCut = false;
  const addRow = (row: string[]): boolean => {
    isCut ||= !budget.takeRow(texts.length, row);
    if (!isCut) texts.push(row);
    return !isCut;
  };
  return {
    isCut: () => isCut,
    addColumnStyles(head: Buffer) {
      numbers.columns = scanStyleNumbers(head).columns;
    },
    add(sheet: XLSX.WorkSheet, markup: string) {
      const pieceStyles = scanStyleNumbers(Buffer.from(markup, 'latin1'));
      const pieceNumbers = { ...pieceStyles, columns: numbers.columns };
      for (const [row, style] of Object.entries(pieceStyles.rows)) numbers.rows[Number(row)] = style;
      for (const [row, info] of Object.entries(sheet['!rows'] ?? {})) rowProperties[Number(row)] = info;
      const data = (sheet['!data'] ?? []) as (XLSX.CellObject | undefined)[][];
      for (const [key, cells] of Object.entries(data)) {
        const row = Number(key);
        while (texts.length < row) if (!addRow([])) return;
        const rowTexts = Array.from(cells.slice(0, MAX_COLUMNS), (cell) =>
          cell ? intern(cellText(cell, formatCell)) : '',
        );
        if (!addRow(rowTexts)) return;
        styles[row] = rowTexts.map((_, column) => styleOf(styleNumberAt(pieceNumbers, row, column), cells[column]));
      }
    },
    result: () => ({
      texts,
      rowProperties,
      styleAt: (row: number, column: number) => {
        const rowStyles = styles[row];
        if (rowStyles && column < rowStyles.length) return rowStyles[column];
        return styleOf(numbers.rows[row] ?? numbers.columns[column] ?? 0, undefined);
      },
    }),
  };
}
