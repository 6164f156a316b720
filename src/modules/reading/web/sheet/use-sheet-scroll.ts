import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useReader } from '../reader-store.ts';
import type { FrozenPanesInView } from './frozen-panes.ts';
import type { Cell, SheetPages } from './sheet-rows.ts';
import { scrollOffsetsFor, sheetPositionAt } from './sheet-scroll.ts';

/** Reports the reading position in a sheet and scrolls to cells. */
export function useSheetScroll(
  scroller: RefObject<HTMLElement | null>,
  sheet: SheetPages,
  { columnWidths, frozen, updateRows }: { columnWidths: number[]; frozen: FrozenPanesInView; updateRows: () => void },
) {
  const { store, report } = useReader();
  const { page: firstPage, lastPage } = sheet;
  const pendingCell = useRef<{ cell: Cell; isStep: boolean } | null>(null);
  const onScroll = useCallback(() => {
    if (!scroller.current) return;
    updateRows();
    const { page, offset } = sheetPositionAt({ page: firstPage, lastPage }, scroller.current);
    store.dispatch({ type: 'pageReached', page });
    report(page, offset);
  }, [scroller, updateRows, firstPage, lastPage, store, report]);
  // Reports the position on opening, even without scrolling.
  useEffect(onScroll, [onScroll]);
  // After every render, because the sheet of the cell may just have been rendered.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!pendingCell.current || !element) return;
    const { cell, isStep } = pendingCell.current;
    pendingCell.current = null;
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
    // The sheet tabs may cover the lower part.
    const tabsTop = element.nextElementSibling?.getBoundingClientRect().top ?? window.innerHeight;
    const height = Math.min(clientHeight, tabsTop - element.getBoundingClientRect().top);
    const sheetWindow = { scrollTop, scrollLeft, width: clientWidth, height, frozen };
    element.scrollTo(scrollOffsetsFor(cell, columnWidths, sheetWindow, isStep));
    onScroll();
  });
  /** Scrolls with the next render. */
  const scrollToCell = useCallback((cell: Cell, isStep: boolean) => {
    pendingCell.current = { cell, isStep };
  }, []);
  return { onScroll, scrollToCell };
}
