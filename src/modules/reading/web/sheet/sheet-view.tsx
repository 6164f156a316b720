import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useHydrated } from '#platform/web/hydrated.ts';
import { ScrollRegion } from '#platform/web/ui/scroll-region.tsx';
import { useFind } from '../find.ts';
import { usePageImages } from '../paged/use-page-data.ts';
import { useReader } from '../reader-store.ts';
import { SheetHead, SheetRow } from './sheet-grid.tsx';
import {
  type Cell,
  cellOfHit,
  columnName,
  columnWidths,
  PAGE_ROWS,
  ROW_HEIGHT,
  rowsOf,
  sheetOfPage,
  sheetsOf,
} from './sheet-rows.ts';
import { SheetTabs } from './sheet-tabs.tsx';
import { useCellChoice } from './use-cell-choice.ts';

const NUMBER_WIDTH = 52;
const SPARE_ROWS = 12;
/** Before any script runs, the beginning of the sheet. */
const FIRST_ROWS = { from: 0, to: PAGE_ROWS };

/** A workbook: one sheet at a time, its first row and its numbers always in view. */
export function SheetView() {
  const { layout, first, store, view, report } = useReader();
  const { needle, active: activeHit } = useFind();
  const sheets = useMemo(() => sheetsOf(layout), [layout]);
  const begin = first.page[0]?.page ?? 1;
  const [chosen, setChosen] = useState(() => sheetOfPage(sheets, begin)?.index ?? 0);
  const sheet = sheets[chosen] ?? sheets[0];
  const [seen, setSeen] = useState(FIRST_ROWS);
  const [looked, setLooked] = useState<Cell | null>(null);
  const scroller = useRef<HTMLElement>(null);
  const wanted = useRef<(Cell & { isNear: boolean }) | null>(null);
  const isHydrated = useHydrated();
  const from = sheet?.page ?? 1;
  const pageOfRow = (row: number) => from + Math.floor(row / PAGE_ROWS);
  const { images: pages } = usePageImages({
    first: pageOfRow(seen.from),
    last: Math.min(sheet?.lastPage ?? 1, pageOfRow(seen.to)),
  });
  const { images: top } = usePageImages({ first: from, last: from });
  const header = top.get(from)?.rows[0];
  const total = sheet ? rowsOf(sheet) : 0;
  const lastPage = sheet?.lastPage ?? 1;
  const columns = Math.max(
    sheet?.columns ?? 0,
    ...[...pages.values()].flatMap(({ rows }) => rows.map((row) => row.length)),
  );
  const widths = useMemo(() => columnWidths(top.get(from)?.rows ?? [], columns), [top, from, columns]);
  const rowOf = (row: number) => pages.get(pageOfRow(row))?.rows[row % PAGE_ROWS];

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const at = Math.floor(element.scrollTop / ROW_HEIGHT);
    const next = {
      from: Math.max(0, at - SPARE_ROWS),
      to: at + Math.ceil(element.clientHeight / ROW_HEIGHT) + SPARE_ROWS,
    };
    setSeen((was) => (was.from === next.from && was.to === next.to ? was : next));
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
    const page = isAtEnd ? lastPage : from + Math.floor(at / PAGE_ROWS);
    if (page !== store.getState().page) store.setState({ page });
    report(page, isAtEnd ? 1 : (at % PAGE_ROWS) / PAGE_ROWS);
  }, [from, lastPage, store, report]);
  // Opened, it is being read, whether one moves in it or not.
  useEffect(look, [look]);

  /** `isNear`: a step away, so that what is seen moves only as far as it must. */
  const show = useCallback((index: number, { row, column }: Cell, isNear = false) => {
    wanted.current = { row, column, isNear };
    setChosen(index);
    setLooked({ row, column });
  }, []);
  // Whenever a place was asked for.
  useLayoutEffect(() => {
    const { current: cell } = wanted;
    const element = scroller.current;
    if (!cell || !element) return;
    wanted.current = null;
    element.scrollTo(placeFor(cell, element, widths));
    look();
  });

  useEffect(() => {
    const goTo = (page: number, offset = 0) => {
      const target = sheetOfPage(sheets, page);
      if (!target) return;
      const row = Math.floor((page - target.page + offset) * PAGE_ROWS);
      show(target.index, { row: Math.max(0, Math.min(row, rowsOf(target) - 1)), column: 0 });
      store.setState({ page });
    };
    view.current = { goTo };
    return () => {
      view.current = null;
    };
  }, [view, sheets, show, store]);
  // The hit that was asked for, once its page is here.
  const hitPage = activeHit ? pages.get(activeHit.page) : undefined;
  useEffect(() => {
    if (!activeHit || !hitPage || !store.getState().isHitWanted) return;
    const target = sheetOfPage(sheets, activeHit.page);
    const cell = cellOfHit(hitPage, needle, activeHit.index);
    if (!target || !cell) return;
    store.setState({ isHitWanted: false });
    const row = (activeHit.page - target.page) * PAGE_ROWS + cell.row;
    show(target.index, { row, column: cell.column });
  }, [activeHit, hitPage, needle, sheets, show, store]);
  useCellChoice(scroller, {
    looked,
    last: { row: total - 1, column: widths.length - 1 },
    onPress: setLooked,
    onMove: (cell) => show(chosen, cell, true),
  });

  if (!sheet) return null;
  const rows = Array.from(
    { length: Math.max(0, Math.min(total, seen.to) - Math.max(1, seen.from)) },
    (_, at) => Math.max(1, seen.from) + at,
  );
  const common = { columns: widths.length, needle };
  const activeIn = (row: number) => (looked?.row === row ? looked.column : -1);
  const value = looked ? (looked.row === 0 ? header : rowOf(looked.row))?.[looked.column] : '';
  return (
    <div className="flex flex-col bg-surface">
      <p aria-live="polite" className="flex min-h-10 items-center gap-3 border-b border-line px-3 text-14">
        {looked ? (
          <span className="w-14 shrink-0 text-center text-13 text-ink-2 tabular-nums">
            {`${columnName(looked.column)}${looked.row + 1}`}
          </span>
        ) : null}
        {looked ? (
          <span className="line-clamp-2 min-w-0 flex-1 whitespace-pre-line">{value}</span>
        ) : (
          <span className="min-w-0 flex-1 truncate text-13 text-ink-2">点一个单元格，这里显示它的全部内容</span>
        )}
      </p>
      <ScrollRegion
        ref={scroller}
        label={`工作表 ${sheet.name}`}
        className="reader-sheet h-[calc(100dvh-var(--top-bar-height)-140px)] overflow-auto overscroll-x-contain focus-visible:-outline-offset-2 max-md:h-[calc(100dvh-var(--top-bar-height)-196px)]"
        onScroll={look}
      >
        <table
          aria-rowcount={total + 1}
          className="table-fixed border-separate border-spacing-0 text-13 leading-[1.4]"
          style={{ width: NUMBER_WIDTH + widths.reduce((sum, width) => sum + width, 0) }}
        >
          <colgroup>
            <col style={{ width: NUMBER_WIDTH }} />
            {widths.map((width, column) => (
              <col key={columnName(column)} style={{ width }} />
            ))}
          </colgroup>
          <SheetHead header={header} active={activeIn(0)} {...common} />
          <tbody>
            <Space rows={Math.max(1, seen.from) - 1} columns={widths.length} />
            {rows.map((row) => (
              <SheetRow key={row} row={row} cells={rowOf(row)} active={activeIn(row)} {...common} />
            ))}
            <Space rows={isHydrated ? total - seen.to : 0} columns={widths.length} />
          </tbody>
        </table>
      </ScrollRegion>
      <SheetTabs sheets={sheets} chosen={sheet.index} onChoose={(index) => show(index, { row: 0, column: 0 })} />
    </div>
  );
}

/** Where to scroll so that a cell is seen, clear of what stays in view above and beside it. */
function placeFor({ row, column, isNear }: Cell & { isNear: boolean }, element: HTMLElement, widths: number[]) {
  const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const right = left + (widths[column] ?? 0) + NUMBER_WIDTH;
  const top = Math.max(0, row - 1) * ROW_HEIGHT;
  // The tabs below may cover a part of it.
  const covered = element.nextElementSibling?.getBoundingClientRect().top ?? window.innerHeight;
  const height = Math.min(clientHeight, covered - element.getBoundingClientRect().top);
  const isBelow = top + 3 * ROW_HEIGHT > scrollTop + height;
  return {
    top: isNear ? (isBelow ? top + 3 * ROW_HEIGHT - height : Math.min(scrollTop, top)) : Math.max(0, top - ROW_HEIGHT),
    left: right > scrollLeft + clientWidth ? right - clientWidth : Math.min(scrollLeft, left),
  };
}

/** The room of rows that are not there. */
const Space = ({ rows, columns }: { rows: number; columns: number }) =>
  rows > 0 ? (
    <tr style={{ height: rows * ROW_HEIGHT }}>
      <td colSpan={columns + 1} />
    </tr>
  ) : null;
