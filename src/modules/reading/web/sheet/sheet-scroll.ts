import type { ReadingPosition } from '../reader-store.ts';
import { type Cell, PAGE_ROWS, ROW_HEIGHT_PX, type SheetPages } from './sheet-rows.ts';

export const ROW_NUMBER_WIDTH_PX = 52;
/** The last page counts as read once the last row is visible. */
export function sheetPositionAt(
  { page, lastPage }: Pick<SheetPages, 'page' | 'lastPage'>,
  { scrollTop, clientHeight, scrollHeight }: Pick<HTMLElement, 'scrollTop' | 'clientHeight' | 'scrollHeight'>,
): ReadingPosition {
  if (scrollTop + clientHeight >= scrollHeight - 1) return { page: lastPage, offset: 1 };
  const row = Math.floor(scrollTop / ROW_HEIGHT_PX);
  return { page: page + Math.floor(row / PAGE_ROWS), offset: (row % PAGE_ROWS) / PAGE_ROWS };
}

/** Visible part of a sheet. `height` does not include what other elements cover. */
type SheetWindow = {
  scrollTop: number;
  scrollLeft: number;
  width: number;
  height: number;
  /** Rows below the column letters, and columns after the row numbers, that do not scroll. */
  frozen: { rows: number; columns: number };
};

/**
 * Scroll offsets at which the fixed rows and the row numbers do not cover the cell. `isStep`: moves only as far as
 * needed.
 */
export function scrollOffsetsFor(
  { row, column }: Cell,
  columnWidths: number[],
  { scrollTop, scrollLeft, width, height, frozen }: SheetWindow,
  isStep: boolean,
): { top: number; left: number } {
  const sumOf = (widths: number[]) => widths.reduce((sum, each) => sum + each, 0);
  const left = sumOf(columnWidths.slice(frozen.columns, column));
  const frozenWidth = ROW_NUMBER_WIDTH_PX + sumOf(columnWidths.slice(0, frozen.columns));
  const right = left + (columnWidths[column] ?? 0) + frozenWidth;
  const top = Math.max(0, row - frozen.rows) * ROW_HEIGHT_PX;
  const bottom = top + (frozen.rows + 2) * ROW_HEIGHT_PX;
  const stepTop = bottom > scrollTop + height ? bottom - height : Math.min(scrollTop, top);
  const isFixed = { row: row < frozen.rows, column: column < frozen.columns };
  const visibleLeft = right > scrollLeft + width ? right - width : Math.min(scrollLeft, left);
  return {
    top: isFixed.row && isStep ? scrollTop : isStep ? stepTop : Math.max(0, top - ROW_HEIGHT_PX),
    left: isFixed.column ? scrollLeft : visibleLeft,
  };
}
