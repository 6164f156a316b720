import type XLSX from '@e965/xlsx';
import type { Visibility } from './cell-visibility.ts';
import { MAX_COLUMNS, MAX_ROWS } from './limits.ts';
import type { MergedCell } from './sheet.ts';

/**
 * Copies the text of each merged cell whose first row or column is hidden into its first visible cell, where Excel
 * shows it. A file stores it in the first cell.
 */
export function copyMergedTextToVisibleCell(rows: string[][], merges: XLSX.Range[], visibility: Visibility): void {
  const rowCount = rowsOfMerges(merges);
  const visibleRows = firstVisibleFrom(rowCount, visibility.isRowHidden);
  const visibleColumns = firstVisibleFrom(MAX_COLUMNS, visibility.isColumnHidden);
  for (const { s: start, e: end } of merges) {
    const text = rows[start.r]?.[start.c];
    const row = visibleRows[start.r] ?? rowCount;
    const column = visibleColumns[start.c] ?? MAX_COLUMNS;
    const isVisible = row <= Math.min(end.r, rowCount - 1) && column <= Math.min(end.c, MAX_COLUMNS - 1);
    if (text && isVisible) putText(rows, { row, column, text });
  }
}

const MAX_MERGED_CELLS = 20_000;

/** Number of rows up to the last one of a merged cell. */
const rowsOfMerges = (merges: XLSX.Range[]): number =>
  Math.min(
    MAX_ROWS,
    merges.reduce((last, { e: end }) => Math.max(last, end.r + 1), 0),
  );

/** Positions of merged cells among the visible rows and columns. */
export function visibleMergedCells(merges: XLSX.Range[], visibility: Visibility): MergedCell[] {
  const rows = visibleBefore(rowsOfMerges(merges), visibility.isRowHidden);
  const columns = visibleBefore(MAX_COLUMNS, visibility.isColumnHidden);
  const countBefore = (counts: number[], index: number) => counts[Math.min(index, counts.length - 1)] ?? 0;
  return merges
    .slice(0, MAX_MERGED_CELLS)
    .map(({ s: start, e: end }) => {
      const [row, column] = [countBefore(rows, start.r), countBefore(columns, start.c)];
      return {
        row,
        column,
        rows: countBefore(rows, end.r + 1) - row,
        columns: countBefore(columns, end.c + 1) - column,
      };
    })
    .filter((cell) => cell.rows > 0 && cell.columns > 0 && cell.rows * cell.columns > 1);
}

/** For each index and for `count`, how many visible ones are before it. */
export function visibleBefore(count: number, isHidden: (index: number) => boolean): number[] {
  const counts = [0];
  for (let index = 0; index < count; index++) counts.push((counts[index] ?? 0) + (isHidden(index) ? 0 : 1));
  return counts;
}

/** For each index, the first visible one from there on; `count` if there is none. */
function firstVisibleFrom(count: number, isHidden: (index: number) => boolean): number[] {
  const indexes: number[] = [];
  let firstVisible = count;
  for (let index = count - 1; index >= 0; index--) {
    if (!isHidden(index)) firstVisible = index;
    indexes[index] = firstVisible;
  }
  return indexes;
}

function putText(rows: string[][], { row, column, text }: { row: number; column: number; text: string }): void {
  while (rows.length <= row) rows.push([]);
  const cells = rows[row] ?? [];
  while (cells.length < column) cells.push('');
  cells[column] = text;
}
