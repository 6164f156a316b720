import { stripControlCharacters } from '../strip-control-characters.ts';

/** Larger sheets are cut, and the reader shows a notice. */
export const MAX_ROWS = 300_000;
/** For formats that are parsed whole in memory. */
export const MAX_ROWS_WITHOUT_STREAMING = 5_000;
export const MAX_COLUMNS = 200;
export const MAX_SHEETS = 50;
const MAX_CELL_LENGTH = 2_000;
/** Bounds the size of a page of 100 rows. */
const MAX_ROW_LENGTH = 40_000;

/** Removes control characters and limits the length. */
export const cleanCellText = (text: string): string =>
  stripControlCharacters(text.slice(0, MAX_CELL_LENGTH).replace(/\r\n?/g, '\n')).toWellFormed();

function limitRowLength(row: string[]): string[] {
  let remainingLength = MAX_ROW_LENGTH;
  return row.map((cell) => {
    const cellPart = cell.slice(0, remainingLength).toWellFormed();
    remainingLength -= cellPart.length;
    return cellPart;
  });
}

/** Removes empty cells and rows at the end. */
export function trimRows(rows: string[][]): string[][] {
  const trimmedRows = rows.map((row) => {
    const last = row.findLastIndex((cell) => cell !== '');
    return limitRowLength(row.slice(0, last + 1));
  });
  return trimmedRows.slice(0, trimmedRows.findLastIndex((row) => row.length > 0) + 1);
}
