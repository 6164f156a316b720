import { useMemo } from 'react';
import { usePageImages } from '../paged/use-page-data.ts';
import type { RowRange } from '../visible-rows.ts';
import { decodeStyles } from './cell-appearance.ts';
import { linksByRow } from './cell-link.tsx';
import { mergedPartsByRow } from './merged-cells.ts';
import { useBoundedPageCache, useRequestedPages } from './requested-pages.ts';
import { columnWidths, PAGE_ROWS, rowLabel, type SheetPages } from './sheet-rows.ts';

/** Loads the given rows of a sheet, and its first ones, which may be frozen. */
export function useSheetCells(sheet: SheetPages, rows: RowRange) {
  const pageOfRow = (row: number) => sheet.page + Math.floor(row / PAGE_ROWS);
  const requestedPages = useRequestedPages({
    first: pageOfRow(rows.from),
    last: Math.min(sheet.lastPage, pageOfRow(rows.to)),
  });
  const { images: pages } = usePageImages(requestedPages);
  useBoundedPageCache();
  const { images: topPages } = usePageImages({ first: sheet.page, last: sheet.page });
  const firstPage = topPages.get(sheet.page);
  const columns = Math.max(
    sheet.columns ?? 0,
    ...[...pages.values()].flatMap(({ rows }) => rows.map((row) => row.length)),
  );
  const widths = useMemo(
    () => columnWidths(firstPage?.rows ?? [], columns, sheet.widths),
    [firstPage, columns, sheet.widths],
  );
  const pageWith = (row: number) => (row < PAGE_ROWS ? firstPage : pages.get(pageOfRow(row)));
  return {
    pages,
    /** Loaded pages with pictures. */
    pagesWithPictures: [...topPages.values(), ...pages.values()].filter(({ pictures }) => pictures),
    widths,
    isEmpty: sheet.rows === 0 || firstPage?.rows.length === 0,
    /** Undefined until the row is loaded. */
    cellsOf: (row: number) => pageWith(row)?.rows[row % PAGE_ROWS],
    /** Undefined without styled cells. */
    stylesOf: (row: number) => {
      const { cell_styles } = pageWith(row) ?? {};
      return cell_styles && decodeStyles(cell_styles)[row % PAGE_ROWS];
    },
    mergedPartsOf: (row: number) => {
      const { merged_cells } = pageWith(row) ?? {};
      return merged_cells && mergedPartsByRow(merged_cells).get(row % PAGE_ROWS);
    },
    linksOf: (row: number) => {
      const page = pageWith(row);
      return page && (page.links || page.cell_links) ? linksByRow(page).get(row % PAGE_ROWS) : undefined;
    },
    labelOf: (row: number) => rowLabel(row, { page: pageWith(row), firstPage }),
  };
}
