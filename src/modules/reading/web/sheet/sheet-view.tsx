import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useHydrated } from '#platform/web/hydrated.ts';
import { ScrollRegion } from '#platform/web/ui/scroll-region.tsx';
import { usePageImages } from '../paged/use-page-data.ts';
import { useReader } from '../reader-store.ts';
import { useFindState } from '../use-find-in-document.ts';
import { SelectedCell } from './selected-cell.tsx';
import { SheetHead, SheetRow } from './sheet-grid.tsx';
import {
  type Cell,
  cellName,
  cellOfHit,
  columnLabels,
  columnWidths,
  PAGE_ROWS,
  ROW_HEIGHT_PX,
  readableRowCount,
  rowLabel,
  sheetOfPage,
  sheetsWithPageRanges,
} from './sheet-rows.ts';
import { SheetTabs } from './sheet-tabs.tsx';
import { useCellSelection } from './use-cell-selection.ts';

const ROW_NUMBER_WIDTH_PX = 52;
const OVERSCAN_ROWS = 12;
/** Rows in the server-rendered page. */
const INITIAL_ROWS = { from: 0, to: PAGE_ROWS };

/** Shows one sheet at a time; first row and row numbers stay visible. */
export function SheetView() {
  const { layout, first, store, view, report } = useReader();
  const { needle, active: activeHit } = useFindState();
  const sheets = useMemo(() => sheetsWithPageRanges(layout), [layout]);
  const startPage = first.page[0]?.page ?? 1;
  const [sheetIndex, setSheetIndex] = useState(() => sheetOfPage(sheets, startPage)?.index ?? 0);
  const sheet = sheets[sheetIndex] ?? sheets[0];
  const [visibleRows, setVisibleRows] = useState(INITIAL_ROWS);
  const [selectedCell, setSelectedCell] = useState<Cell | null>(null);
  const scroller = useRef<HTMLElement>(null);
  const pendingCell = useRef<(Cell & { isStep: boolean }) | null>(null);
  const isHydrated = useHydrated();
  const from = sheet?.page ?? 1;
  const pageOfRow = (row: number) => from + Math.floor(row / PAGE_ROWS);
  const { images: pages } = usePageImages({
    first: pageOfRow(visibleRows.from),
    last: Math.min(sheet?.lastPage ?? 1, pageOfRow(visibleRows.to)),
  });
  const { images: topPage } = usePageImages({ first: from, last: from });
  const header = topPage.get(from)?.rows[0];
  const total = sheet ? readableRowCount(sheet) : 0;
  const lastPage = sheet?.lastPage ?? 1;
  const columns = Math.max(
    sheet?.columns ?? 0,
    ...[...pages.values()].flatMap(({ rows }) => rows.map((row) => row.length)),
  );
  const widths = useMemo(() => columnWidths(topPage.get(from)?.rows ?? [], columns), [topPage, from, columns]);
  const rowOf = (row: number) => pages.get(pageOfRow(row))?.rows[row % PAGE_ROWS];
  const firstPage = topPage.get(from);
  const labelOf = (row: number) =>
    rowLabel(row, { page: row === 0 ? firstPage : pages.get(pageOfRow(row)), firstPage });

  const updateVisibleRows = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const at = Math.floor(element.scrollTop / ROW_HEIGHT_PX);
    const next = {
      from: Math.max(0, at - OVERSCAN_ROWS),
      to: at + Math.ceil(element.clientHeight / ROW_HEIGHT_PX) + OVERSCAN_ROWS,
    };
    setVisibleRows((previous) => (previous.from === next.from && previous.to === next.to ? previous : next));
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
    const page = isAtEnd ? lastPage : from + Math.floor(at / PAGE_ROWS);
    store.dispatch({ type: 'pageReached', page });
    report(page, isAtEnd ? 1 : (at % PAGE_ROWS) / PAGE_ROWS);
  }, [from, lastPage, store, report]);
  // Reports the position on opening, even without scrolling.
  useEffect(updateVisibleRows, [updateVisibleRows]);

  /** `isStep`: move by one cell, which scrolls only as far as needed. */
  const selectCell = useCallback((index: number, { row, column }: Cell, isStep = false) => {
    pendingCell.current = { row, column, isStep };
    setSheetIndex(index);
    setSelectedCell({ row, column });
  }, []);
  // After every render, because the target sheet may just have been rendered.
  useLayoutEffect(() => {
    const { current: cell } = pendingCell;
    const element = scroller.current;
    if (!cell || !element) return;
    pendingCell.current = null;
    element.scrollTo(scrollTargetFor(cell, element, widths));
    updateVisibleRows();
  });

  useEffect(() => {
    const goTo = (page: number, offset = 0) => {
      const target = sheetOfPage(sheets, page);
      if (!target) return;
      const row = Math.floor((page - target.page + offset) * PAGE_ROWS);
      selectCell(target.index, { row: Math.max(0, Math.min(row, readableRowCount(target) - 1)), column: 0 });
      store.dispatch({ type: 'pageReached', page });
    };
    view.current = { goTo };
    return () => {
      view.current = null;
    };
  }, [view, sheets, selectCell, store]);
  // Selects the requested hit once its page is loaded.
  const hitPage = activeHit ? pages.get(activeHit.page) : undefined;
  useEffect(() => {
    if (!activeHit || !hitPage || !store.getState().hit?.isScrollPending) return;
    const target = sheetOfPage(sheets, activeHit.page);
    const cell = cellOfHit(hitPage, needle, activeHit.index);
    if (!target || !cell) return;
    store.dispatch({ type: 'hitScrolledIntoView' });
    const row = (activeHit.page - target.page) * PAGE_ROWS + cell.row;
    selectCell(target.index, { row, column: cell.column });
  }, [activeHit, hitPage, needle, sheets, selectCell, store]);
  useCellSelection(scroller, {
    selectedCell,
    last: { row: total - 1, column: widths.length - 1 },
    onPress: setSelectedCell,
    onMove: (cell) => selectCell(sheetIndex, cell, true),
  });

  if (!sheet) return null;
  const rows = Array.from(
    { length: Math.max(0, Math.min(total, visibleRows.to) - Math.max(1, visibleRows.from)) },
    (_, at) => Math.max(1, visibleRows.from) + at,
  );
  const letters = columnLabels(sheet, widths.length);
  const common = { columns: widths.length, needle };
  const activeIn = (row: number) => (selectedCell?.row === row ? selectedCell.column : -1);
  const cell = selectedCell && {
    name: cellName(letters[selectedCell.column] ?? '', labelOf(selectedCell.row)),
    text: (selectedCell.row === 0 ? header : rowOf(selectedCell.row))?.[selectedCell.column],
  };
  const isEmpty = sheet.rows === 0 || firstPage?.rows.length === 0;
  return (
    <div className="flex flex-col bg-surface">
      {isEmpty ? null : <SelectedCell cell={cell} />}
      <ScrollRegion
        ref={scroller}
        label={`工作表 ${sheet.name}`}
        className="reader-sheet h-[calc(100dvh-var(--top-bar-height)-140px)] overflow-auto overscroll-x-contain focus-visible:-outline-offset-2 max-md:h-[calc(100dvh-var(--top-bar-height)-196px)]"
        onScroll={updateVisibleRows}
      >
        {isEmpty ? (
          <p className="p-8 text-center text-ink-2">此工作表为空</p>
        ) : (
          <table
            aria-rowcount={total + 1}
            className="table-fixed border-separate border-spacing-0 text-13 leading-[1.4]"
            style={{ width: ROW_NUMBER_WIDTH_PX + widths.reduce((sum, width) => sum + width, 0) }}
          >
            <colgroup>
              <col style={{ width: ROW_NUMBER_WIDTH_PX }} />
              {widths.map((width, column) => (
                <col key={letters[column]} style={{ width }} />
              ))}
            </colgroup>
            <SheetHead label={labelOf(0)} columnLabels={letters} header={header} active={activeIn(0)} {...common} />
            <tbody>
              <RowSpacer rows={Math.max(1, visibleRows.from) - 1} columns={widths.length} />
              {rows.map((row) => (
                <SheetRow
                  key={row}
                  row={row}
                  label={labelOf(row)}
                  cells={rowOf(row)}
                  active={activeIn(row)}
                  {...common}
                />
              ))}
              <RowSpacer rows={isHydrated ? total - visibleRows.to : 0} columns={widths.length} />
            </tbody>
          </table>
        )}
      </ScrollRegion>
      <SheetTabs
        sheets={sheets}
        selected={sheet.index}
        onSelect={(index) => selectCell(index, { row: 0, column: 0 })}
      />
    </div>
  );
}

/** Scroll offsets at which the fixed row and column do not cover the cell. */
function scrollTargetFor({ row, column, isStep }: Cell & { isStep: boolean }, element: HTMLElement, widths: number[]) {
  const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const right = left + (widths[column] ?? 0) + ROW_NUMBER_WIDTH_PX;
  const top = Math.max(0, row - 1) * ROW_HEIGHT_PX;
  // The sheet tabs may cover the lower part.
  const tabsTop = element.nextElementSibling?.getBoundingClientRect().top ?? window.innerHeight;
  const height = Math.min(clientHeight, tabsTop - element.getBoundingClientRect().top);
  const isBelow = top + 3 * ROW_HEIGHT_PX > scrollTop + height;
  return {
    top: isStep
      ? isBelow
        ? top + 3 * ROW_HEIGHT_PX - height
        : Math.min(scrollTop, top)
      : Math.max(0, top - ROW_HEIGHT_PX),
    left: right > scrollLeft + clientWidth ? right - clientWidth : Math.min(scrollLeft, left),
  };
}

/** Placeholder for rows that are not rendered. */
const RowSpacer = ({ rows, columns }: { rows: number; columns: number }) =>
  rows > 0 ? (
    <tr style={{ height: rows * ROW_HEIGHT_PX }}>
      <td colSpan={columns + 1} />
    </tr>
  ) : null;
