import { stripControlCharacters } from '../strip-control-characters.ts';

/** A sheet is for looking at: beyond this it is cut, and says so. */
export const MAX_ROWS = 5_000;
export const MAX_COLUMNS = 200;
export const MAX_SHEETS = 50;
const MAX_CELL_LETTERS = 2_000;
/** Rows are sent by the hundred. */
const MAX_ROW_LETTERS = 40_000;

/** Text of a cell as it is shown: no control characters, of bounded length. */
export const cellText = (text: string): string =>
  stripControlCharacters(text.slice(0, MAX_CELL_LETTERS).replace(/\r\n?/g, '\n')).toWellFormed();

function fitting(row: string[]): string[] {
  let room = MAX_ROW_LETTERS;
  return row.map((cell) => {
    const kept = cell.slice(0, room).toWellFormed();
    room -= kept.length;
    return kept;
  });
}

/** Without the empty cells and rows at the end. */
export function trimRows(rows: string[][]): string[][] {
  const trimmed = rows.map((row) => {
    const last = row.findLastIndex((cell) => cell !== '');
    return fitting(row.slice(0, last + 1));
  });
  return trimmed.slice(0, trimmed.findLastIndex((row) => row.length > 0) + 1);
}
