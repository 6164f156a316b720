import { MAX_ROWS } from './limits.ts';

/** Each sheet has at least this number of rows, also in a workbook beyond the limits below. */
const MIN_ROWS_PER_SHEET = 5_000;
/** Limits of a whole workbook, which bound the memory and the number of stored sections. */
const MAX_CELLS = 3_000_000;
const MAX_CHARACTERS = 60_000_000;

export type RowBudget = {
  /** Whether the row (zero-based position) of a sheet is read; the first row that is not ends its sheet. */
  takeRow(position: number, row: readonly string[]): boolean;
};

/** Limits the rows that are read from a workbook. */
export function createRowBudget(): RowBudget {
  let [rows, cells, characters] = [0, 0, 0];
  return {
    takeRow(position, row) {
      const isWithinLimits = rows < MAX_ROWS && cells < MAX_CELLS && characters < MAX_CHARACTERS;
      if (position >= MAX_ROWS || (position >= MIN_ROWS_PER_SHEET && !isWithinLimits)) return false;
      rows++;
      cells += row.length;
      for (const text of row) characters += text.length;
      return true;
    },
  };
}
