import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ScrollRegion } from '#platform/web/ui/scroll-region.tsx';
import type { ReadingPage } from '../../reading.contract.ts';
import { goToPage, useReader } from '../reader-store.ts';
import { useFindState } from '../use-find-in-document.ts';
import { useVisibleRows } from '../use-visible-rows.ts';
import type { RowRange } from '../visible-rows.ts';
import { type FrozenPanesInView, LETTERS_HEIGHT_PX, useFrozenPanes } from './frozen-panes.ts';
import { SelectedCell } from './selected-cell.tsx';
import { SheetTable } from './sheet-grid.tsx';
import {
  type Cell,
  cellName,
  cellOfHit,
  columnLabels,
  PAGE_ROWS,
  ROW_HEIGHT_PX,
  readableRowCount,
  type SheetPages,
  sheetOfPage,
  sheetsWithPageRanges,
} from './sheet-rows.ts';
import { ROW_NUMBER_WIDTH_PX } from './sheet-scroll.ts';
import { SheetTabs } from './sheet-tabs.tsx';
import { useCellSelection } from './use-cell-selection.ts';
import { useSheetCells } from './use-sheet-cells.ts';
import { useSheetScroll } from './use-sheet-scroll.ts';

const SheetPictures = lazy(() => import('./sheet-pictures.tsx').then((module) => ({ default: module.SheetPictures })));

const rowOptions = { rowHeight: ROW_HEIGHT_PX, overscan: 12 };
/** Rows in the server-rendered page. */
const INITIAL_ROWS = { from: 0, to: PAGE_ROWS };

export function SheetView() {
  const { layout } = useReader();
  const sheets = useMemo(() => sheetsWithPageRanges(layout), [layout]);
  return sheets[0] ? <Workbook sheets={sheets} firstSheet={sheets[0]} /> : null;
}

/** Shows one sheet at a time; row numbers and frozen rows and columns stay visible. */
function Workbook({ sheets, firstSheet }: { sheets: SheetPages[]; firstSheet: SheetPages }) {
  const { first } = useReader();
  const [sheetIndex, setSheetIndex] = useState(() => sheetOfPage(sheets, first.page[0]?.page ?? 1)?.index ?? 0);
  const [selectedCell, setSelectedCell] = useState<Cell | null>(null);
  const sheet = sheets[sheetIndex] ?? firstSheet;
  const total = readableRowCount(sheet);
  const scroller = useRef<HTMLElement>(null);
  const { rows, updateRows } = useVisibleRows(scroller, INITIAL_ROWS, rowOptions);
  const cells = useSheetCells(sheet, rows);
  const { pages, widths, isEmpty, cellsOf, labelOf } = cells;
  const frozenPanes = useFrozenPanes(scroller, sheet, widths);
  const { onScroll, scrollToCell } = useSheetScroll(scroller, sheet, {
    columnWidths: widths,
    frozen: frozenPanes,
    updateRows,
  });
  /** `isStep`: move by one cell, which scrolls only as far as needed. */
  const selectCell = useCallback(
    (index: number, cell: Cell, isStep = false) => {
      scrollToCell(cell, isStep);
      setSheetIndex(index);
      setSelectedCell(cell);
    },
    [scrollToCell],
  );
  useSheetNavigation(sheets, selectCell);
  useHitSelection(sheets, pages, selectCell);
  useCellSelection(scroller, {
    selectedCell,
    last: { row: total - 1, column: widths.length - 1 },
    onPress: setSelectedCell,
    onFollow: (index, target) => (sheets[index] ? selectCell(index, target) : undefined),
    onMove: (cell) => selectCell(sheetIndex, cell, true),
  });
  const letters = columnLabels(sheet, widths.length);
  const cell = selectedCell && {
    name: cellName(letters[selectedCell.column] ?? '', labelOf(selectedCell.row)),
    text: cellsOf(selectedCell.row)?.[selectedCell.column],
  };
  return (
    <div className="flex flex-col bg-surface">
      {isEmpty ? null : <SelectedCell cell={cell} />}
      <ScrollRegion
        ref={scroller}
        label={`工作表 ${sheet.name}`}
        className="reader-sheet h-[calc(100dvh-var(--top-bar-height)-140px)] overflow-auto overscroll-x-contain focus-visible:-outline-offset-2 max-md:h-[calc(100dvh-var(--top-bar-height)-196px)]"
        onScroll={onScroll}
      >
        {isEmpty ? (
          <p className="p-8 text-center text-ink-2">此工作表为空</p>
        ) : (
          <SheetContent sheet={sheet} rows={rows} cells={cells} frozen={frozenPanes} selectedCell={selectedCell} />
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

type SheetContentProps = {
  sheet: SheetPages;
  /** Rows to render. */
  rows: RowRange;
  cells: ReturnType<typeof useSheetCells>;
  frozen: FrozenPanesInView;
  selectedCell: Cell | null;
};

/** The table of a sheet with the pictures over it. */
function SheetContent({ sheet, rows, cells, frozen, selectedCell }: SheetContentProps) {
  const { needle } = useFindState();
  const { pagesWithPictures, widths, labelOf } = cells;
  const letters = columnLabels(sheet, widths.length);
  return (
    <div className="w-max">
      {pagesWithPictures.length > 0 && (
        <Suspense>
          <SheetPictures
            pages={pagesWithPictures}
            rowOf={(page) => (page - sheet.page) * PAGE_ROWS}
            rows={rows}
            frozen={frozen}
            sizes={{ left: ROW_NUMBER_WIDTH_PX, top: LETTERS_HEIGHT_PX, rowHeight: ROW_HEIGHT_PX, widths }}
            cellNameOf={(row, column) => cellName(letters[column] ?? '', labelOf(row))}
          />
        </Suspense>
      )}
      <SheetTable
        letters={letters}
        total={readableRowCount(sheet)}
        rows={rows}
        frozen={frozen}
        selectedCell={selectedCell}
        needle={needle}
        widths={widths}
        cellsOf={cells.cellsOf}
        stylesOf={cells.stylesOf}
        mergedPartsOf={cells.mergedPartsOf}
        linksOf={cells.linksOf}
        labelOf={labelOf}
      />
    </div>
  );
}

type SelectCell = (sheetIndex: number, cell: Cell) => void;

/** Lets the bars and panels of the reader open a page of the workbook. */
function useSheetNavigation(sheets: SheetPages[], selectCell: SelectCell) {
  const reader = useReader();
  useEffect(() => {
    const { store, view } = reader;
    const goTo = (page: number, offset = 0) => {
      const target = sheetOfPage(sheets, page);
      if (!target) return;
      const row = Math.floor((page - target.page + offset) * PAGE_ROWS);
      selectCell(target.index, { row: Math.max(0, Math.min(row, readableRowCount(target) - 1)), column: 0 });
      store.dispatch({ type: 'pageReached', page });
    };
    view.current = { goTo };
    const { pendingPosition } = view;
    view.pendingPosition = null;
    if (pendingPosition) goToPage(reader, pendingPosition.page, pendingPosition.offset);
    return () => {
      view.current = null;
    };
  }, [reader, sheets, selectCell]);
}

/** Selects the requested hit once its page is loaded. */
function useHitSelection(sheets: SheetPages[], pages: Map<number, ReadingPage>, selectCell: SelectCell) {
  const { store } = useReader();
  const { needle, active: activeHit } = useFindState();
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
}
