import { isCompoundFile } from '../../detect/compound-file.ts';
import { type FrozenPanes, MAX_FROZEN } from './frozen-panes.ts';
import { MAX_COLUMNS, MAX_ROWS_WITHOUT_STREAMING as MAX_ROWS } from './limits.ts';
import { type StyleOfCell, styleCache } from './visible-cell-styles.ts';
import { readShortString } from './xls-drawings.ts';
import { readXlsFormats } from './xls-formats.ts';
import { BEGIN_RECORD, BOUND_SHEET_RECORD, END_RECORD, readRecords, readXlsStream } from './xls-records.ts';
import { type StyleNumbers, styleNumberAt } from './xlsx-style-numbers.ts';

/** Record numbers of the Excel 97 format. */
const ROW = 0x208;
const COLUMNS = 0x7d;
const NUMBERS = 0xbd;
const BLANKS = 0xbe;
/** Records of one cell begin with row, column and format: formula, blank, number, label, flag, number in short form. */
const SINGLE_CELLS = new Set([0x06, 0x201, 0x203, 0x204, 0x205, 0x27e, 0xfd, 0xd6]);
const WINDOW = 0x23e;
const PANE = 0x41;
const HAS_ROW_FORMAT = 0x80;
const IS_FROZEN = 0x08;
const EXCEL_97 = 0x600;

type XlsSheet = { numbers: StyleNumbers; frozen: FrozenPanes | undefined };
type XlsAppearance = {
  stylesOf(name: string): StyleOfCell | undefined;
  frozenPanes: Map<string, FrozenPanes>;
};

/** Reads styles and frozen panes of a workbook in Excel 97 format; older ones have none. */
export function readXlsAppearance(bytes: Buffer): XlsAppearance {
  const book = isCompoundFile(bytes) ? readXlsStream(bytes) : Buffer.alloc(0);
  const sheets = new Map<string, XlsSheet>();
  if (book.length >= 6 && book.readUInt16LE(4) === EXCEL_97)
    for (const { type, body } of readRecords(book, 0)) {
      if (type === END_RECORD) break;
      if (type !== BOUND_SHEET_RECORD || body.length < 8) continue;
      sheets.set(readShortString(body.subarray(6)), readSheetStyles(book, body.readUInt32LE(0)));
    }
  const styleOf = styleCache(readXlsFormats(book));
  const frozenPanes = new Map<string, FrozenPanes>();
  for (const [name, { frozen }] of sheets) if (frozen) frozenPanes.set(name, frozen);
  return {
    frozenPanes,
    stylesOf: (name) => {
      const numbers = sheets.get(name)?.numbers;
      return numbers && ((row, column, cell) => styleOf(styleNumberAt(numbers, row, column), cell));
    },
  };
}

function readSheetStyles(book: Buffer, from: number): XlsSheet {
  const numbers: StyleNumbers = { cells: [], rows: [], columns: [] };
  let [depth, isFrozen] = [0, false];
  let panes: FrozenPanes | undefined;
  for (const { type, body } of readRecords(book, from)) {
    if (type === BEGIN_RECORD) depth++;
    else if (type === END_RECORD && --depth <= 0) break;
    // Charts are nested in the sheet.
    if (depth !== 1) continue;
    if (type === WINDOW && body.length >= 2) isFrozen = (body.readUInt16LE(0) & IS_FROZEN) !== 0;
    else if (type === PANE && body.length >= 4) panes = frozenPanes(body);
    else readStyleRecord(numbers, type, body);
  }
  return { numbers, frozen: isFrozen ? panes : undefined };
}

const frozenPanes = (body: Buffer): FrozenPanes => ({
  columns: Math.min(MAX_FROZEN, body.readUInt16LE(0)),
  rows: Math.min(MAX_FROZEN, body.readUInt16LE(2)),
});

function readStyleRecord(numbers: StyleNumbers, type: number, body: Buffer): void {
  if (body.length < 6) return;
  const row = body.readUInt16LE(0);
  const column = body.readUInt16LE(2);
  if (SINGLE_CELLS.has(type)) setCell(numbers, row, column, body.readUInt16LE(4));
  else if (type === NUMBERS || type === BLANKS) {
    const bytesPerCell = type === NUMBERS ? 6 : 2;
    const count = Math.floor((body.length - 6) / bytesPerCell);
    for (let at = 0; at < count; at++) setCell(numbers, row, column + at, body.readUInt16LE(4 + at * bytesPerCell));
  } else if (type === ROW && body.length >= 16 && row < MAX_ROWS && body.readUInt8(12) & HAS_ROW_FORMAT)
    numbers.rows[row] = body.readUInt16LE(14) & 0x0fff;
  else if (type === COLUMNS && body.length >= 8)
    for (let at = row; at <= Math.min(column, MAX_COLUMNS - 1); at++) numbers.columns[at] = body.readUInt16LE(6);
}

function setCell({ cells }: StyleNumbers, row: number, column: number, style: number): void {
  if (row >= MAX_ROWS || column >= MAX_COLUMNS) return;
  const rowCells = cells[row] ?? [];
  cells[row] = rowCells;
  rowCells[column] = style;
}
