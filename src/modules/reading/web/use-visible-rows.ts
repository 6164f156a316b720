import { type RefObject, useCallback, useEffect, useState } from 'react';
import { type RowOptions, type RowRange, visibleRows } from './visible-rows.ts';

/**
 * Rows to render in a scroll container whose rows have one height. `updateRows` must be called when the container
 * scrolls. `initial` is used until the container is measured.
 */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  initial: RowRange,
  { rowHeight, overscan }: RowOptions,
) {
  const [rows, setRows] = useState(initial);
  const updateRows = useCallback(() => {
    if (!scroller.current) return;
    const next = visibleRows(scroller.current, { rowHeight, overscan });
    setRows((previous) => (previous.from === next.from && previous.to === next.to ? previous : next));
  }, [scroller, rowHeight, overscan]);
  useEffect(() => {
    if (!scroller.current) return;
    const observer = new ResizeObserver(updateRows);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [scroller, updateRows]);
  return { rows, updateRows };
}
