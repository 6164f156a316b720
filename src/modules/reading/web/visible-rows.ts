/** Positions of rows; `to` is exclusive. */
export type RowRange = { from: number; to: number };

export type RowOptions = {
  /** All rows have this height in pixels. */
  rowHeight: number;
  /** Rows rendered above and below the visible ones. */
  overscan: number;
};

/** The rows to render at a scroll position. May end after the last row. */
export const visibleRows = (
  { scrollTop, clientHeight }: Pick<HTMLElement, 'scrollTop' | 'clientHeight'>,
  { rowHeight, overscan }: RowOptions,
): RowRange => ({
  from: Math.max(0, Math.floor(scrollTop / rowHeight) - overscan),
  to: Math.ceil((scrollTop + clientHeight) / rowHeight) + overscan,
});
