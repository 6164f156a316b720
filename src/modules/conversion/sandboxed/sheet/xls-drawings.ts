import { readFileSync } from 'node:fs';
import { isCompoundFile } from '../../detect/compound-file.ts';
import { cleanCellText, MAX_ROWS_WITHOUT_STREAMING } from './limits.ts';
import type { Drawings } from './sheet.ts';
import { BEGIN_RECORD, BOUND_SHEET_RECORD, END_RECORD, readRecords, readXlsStream } from './xls-records.ts';

/** Record numbers of the Excel 97 format. */
const OBJECT = 0x5d;
const TEXT_OBJECT = 0x1b6;
const CONTINUE = 0x3c;
const SERIES_TEXT = 0x100d;
const ROW = 0x208;
const COLUMNS = 0x7d;
/** Says where a chart takes a text from (BRAI in [MS-XLS]). */
const TEXT_SOURCE = 0x1051;
const SOURCE_IS_CELL = 2;
/** Object type that contains the text of a comment. */
const NOTE_OBJECT = 0x19;
const CHART_SHEET = 2;

/** Reads the text of text boxes and the names in charts of an xls file. */
export function readXlsDrawings(file: string): Drawings {
  const bytes = readFileSync(file);
  // Files older than Excel 5 are a plain stream of records without drawings.
  if (!isCompoundFile(bytes)) return new Map();
  const book = readXlsStream(bytes);
  const drawings: Drawings = new Map();
  const hasHidden = hasHiddenCells(book);
  for (const { type, body } of readRecords(book, 0)) {
    if (type === END_RECORD) break;
    if (type !== BOUND_SHEET_RECORD || body.length < 8) continue;
    const name = readShortString(body.subarray(6));
    const rows = readSheetDrawingTexts(book, body.readUInt32LE(0), hasHidden);
    const isChart = body[5] === CHART_SHEET;
    if (rows || isChart)
      drawings.set(cleanCellText(name).slice(0, 100), (rows ?? []).slice(0, MAX_ROWS_WITHOUT_STREAMING));
  }
  return drawings;
}

const [HIDDEN_ROW, HIDDEN_COLUMNS] = [0x20, 0x01];

/** Whether any sheet has hidden rows or columns. */
function hasHiddenCells(book: Buffer): boolean {
  for (const { type, body } of readRecords(book, 0)) {
    if (type === ROW && body.length >= 16 && ((body[12] ?? 0) & HIDDEN_ROW || body.readUInt16LE(6) === 0)) return true;
    if (type === COLUMNS && body.length >= 10 && ((body[8] ?? 0) & HIDDEN_COLUMNS || body.readUInt16LE(4) === 0))
      return true;
  }
  return false;
}

/**
 * Reads the text of the drawings of a sheet as rows; null without drawings. Charts are nested in the sheet. Names that a
 * chart has copied from cells may be those of hidden cells.
 */
function readSheetDrawingTexts(book: Buffer, from: number, hasHidden: boolean): string[][] | null {
  let [depth, object, textLength, textSource] = [0, -1, 0, 0];
  let hasDrawing = false;
  const rows: string[][] = [];
  for (const { type, body } of readRecords(book, from)) {
    if (type === BEGIN_RECORD) depth++;
    else if (type === END_RECORD && --depth === 0) break;
    else if (type === OBJECT && body.length >= 6) {
      object = body.readUInt16LE(4);
      hasDrawing ||= object !== NOTE_OBJECT;
    } else if (type === TEXT_OBJECT && body.length >= 12)
      textLength = object === NOTE_OBJECT ? 0 : body.readUInt16LE(10);
    else if (type === CONTINUE && textLength > 0) {
      rows.push([cleanCellText(decodeString(body, textLength).trim())]);
      textLength = 0;
    } else if (type === TEXT_SOURCE) textSource = body[1] ?? 0;
    else if (type === SERIES_TEXT && body.length > 3 && !(hasHidden && textSource === SOURCE_IS_CELL))
      rows.push([cleanCellText(readShortString(body.subarray(2)))]);
  }
  return hasDrawing ? rows.filter(([text]) => text !== '') : null;
}

/** A length, a flag for two bytes per character, then the characters. */
export const readShortString = (bytes: Buffer) => decodeString(bytes.subarray(1), bytes[0] ?? 0);

const decodeString = (bytes: Buffer, length: number) =>
  (bytes[0] ?? 0) & 1 ? bytes.toString('utf16le', 1, 1 + 2 * length) : bytes.toString('latin1', 1, 1 + length);
