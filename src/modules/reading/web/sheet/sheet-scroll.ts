import type { ReadingPosition } from '../reader-store.ts';
import { type Cell, PAGE_ROWS, ROW_HEIGHT_PX, type SheetPages } from './sheet-rows.ts';

export const ROW_NUMBER_WIDTH_PX = 52;
/** Rows of this height stay visible at the top of the sheet: the column letters and the first row. */
const FIXED_ROWS = 2;

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
type SheetWindow = { scrollTop: number; scrollLeft: number; width: number; height: number };

/**
 * Scroll offsets at which the fixed rows and the row numbers do not cover the cell. `isStep`: moves only as far as
 * needed.
 */
export function scrollOffsetsFor(
  { row, column }: Cell,
  columnWidths: number[],
  { scrollTop, scrollLeft, width, height }: SheetWindow,
  isStep: boolean,
): { top: number; left: number } {
  const left = columnWidths.slice(0, column).reduce((sum, each) => sum + each, 0);
  const right = left + (columnWidths[column] ?? 0) + ROW_NUMBER_WIDTH_PX;
  const top = Math.max(0, row - 1) * ROW_HEIGHT_PX;
  const bottom = top + (FIXED_ROWS + 1) * ROW_HEIGHT_PX;
  const stepTop = bottom > scrollTop + height ? bottom - height : Math.min(scrollTop, top);
  return {
    top: isStep ? stepTop : Math.max(0, top - ROW_HEIGHT_PX),
    left: right > scrollLeft + width ? right - width : Math.min(scrollLeft, left),
  };
}
