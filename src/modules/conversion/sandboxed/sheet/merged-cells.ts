import type XLSX from '@e965/xlsx';
import type { Visibility } from './cell-visibility.ts';
import { MAX_COLUMNS, MAX_ROWS } from './limits.ts';

/**
 * Copies the text of each merged cell whose first row or column is hidden into its first visible cell, where Excel
 * shows it. A file stores it in the first cell.
 */
export function copyMergedTextToVisibleCell(rows: string[][], merges: XLSX.Range[], visibility: Visibility): void {
  const visibleRows = firstVisibleFrom(MAX_ROWS, visibility.isRowHidden);
  const visibleColumns = firstVisibleFrom(MAX_COLUMNS, visibility.isColumnHidden);
  for (const { s: start, e: end } of merges) {
    const text = rows[start.r]?.[start.c];
    const row = visibleRows[start.r] ?? MAX_ROWS;
    const column = visibleColumns[start.c] ?? MAX_COLUMNS;
    const isVisible = row <= Math.min(end.r, MAX_ROWS - 1) && column <= Math.min(end.c, MAX_COLUMNS - 1);
    if (text && isVisible) putText(rows, { row, column, text });
  }
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
