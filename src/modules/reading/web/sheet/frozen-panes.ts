import { type RefObject, useEffect, useMemo, useState } from 'react';
import { ROW_HEIGHT_PX, type SheetPages } from './sheet-rows.ts';
import { ROW_NUMBER_WIDTH_PX } from './sheet-scroll.ts';

/** Numbers of rows and columns that stay visible. */
export type FrozenPanesInView = { rows: number; columns: number };

type ViewSize = { width: number; height: number };

/** Height of the column letters. */
export const LETTERS_HEIGHT_PX = 26;

const sumOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);

/**
 * Frozen panes as the file declares them, by default the first row. Rows or columns that would take more than half of the
 * view are not frozen. Until the view is measured, which changes nothing at the top left corner, one row is.
 */
export function frozenPanesInView(
  { frozen: [rows, columns] = [1, 0] }: Pick<SheetPages, 'frozen'>,
  columnWidths: readonly number[],
  view: ViewSize | null,
): FrozenPanesInView {
  if (!view) return { rows: Math.min(1, rows), columns: 0 };
  const areRowsLow = LETTERS_HEIGHT_PX + rows * ROW_HEIGHT_PX <= view.height / 2;
  const areColumnsNarrow = ROW_NUMBER_WIDTH_PX + sumOf(columnWidths.slice(0, columns)) <= view.width / 2;
  return { rows: areRowsLow ? rows : 0, columns: areColumnsNarrow ? columns : 0 };
}

/** Distance of each frozen column from the left edge of the sheet. */
export const frozenColumnOffsets = (columnWidths: readonly number[], columns: number): number[] =>
  columnWidths.slice(0, columns).map((_, column) => ROW_NUMBER_WIDTH_PX + sumOf(columnWidths.slice(0, column)));

/** Frozen panes for the size that the scroll container has now. */
export function useFrozenPanes(
  scroller: RefObject<HTMLElement | null>,
  sheet: SheetPages,
  columnWidths: readonly number[],
): FrozenPanesInView {
  const [view, setView] = useState<ViewSize | null>(null);
  useEffect(() => {
    if (!scroller.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setView({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [scroller]);
  return useMemo(() => frozenPanesInView(sheet, columnWidths, view), [sheet, columnWidths, view]);
}
