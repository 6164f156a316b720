import type XLSX from '@e965/xlsx';
import type { ZeroSizes } from './zero-row-and-column-sizes.ts';

/** Rows and columns that the author has hidden, by index from 0. */
export type Visibility = {
  isRowHidden(row: number): boolean;
  isColumnHidden(column: number): boolean;
};

export type SheetVisibility = Visibility & { hasHiddenCells: boolean };

/** Hidden manually, by a filter, by a collapsed outline, or by a size of zero. */
const isHiddenRow = (row: XLSX.RowInfo | undefined) =>
  row !== undefined && (row.hidden === true || row.hpt === 0 || row.hpx === 0);
const isHiddenColumn = (column: XLSX.ColInfo | undefined) =>
  column !== undefined && (column.hidden === true || column.width === 0 || column.wpx === 0);

/** Combines the hidden flags of the library with the zero sizes that it does not report. */
export const excelVisibility = (sheet: XLSX.WorkSheet, zeroSizes: ZeroSizes | undefined): Visibility => ({
  isRowHidden: (row) => isHiddenRow(sheet['!rows']?.[row]) || zeroSizes?.rows.has(row) === true,
  isColumnHidden: (column) => {
    const info = sheet['!cols']?.[column];
    return info ? isHiddenColumn(info) : zeroSizes?.isDefaultColumnWidthZero === true;
  },
});

/** Hidden sheets, including "very hidden" ones that only a macro can show. */
export const hiddenExcelSheets = ({ Workbook }: XLSX.WorkBook): Set<string> =>
  new Set((Workbook?.Sheets ?? []).flatMap(({ name, Hidden }) => (name && Hidden ? [name] : [])));

/** Numbers (from 1) of the first `count` visible rows or columns; undefined if they are 1 to `count`. */
export function numbersOfVisibleRowsOrColumns(
  count: number,
  isHidden: (index: number) => boolean,
): number[] | undefined {
  const numbers: number[] = [];
  for (let index = 0; numbers.length < count; index++) if (!isHidden(index)) numbers.push(index + 1);
  return (numbers.at(-1) ?? 0) === numbers.length ? undefined : numbers;
}

export const visibleCells = <Cell>(cells: Cell[][], visibility: Visibility): Cell[][] =>
  cells
    .filter((_, row) => !visibility.isRowHidden(row))
    .map((row) => row.filter((_, column) => !visibility.isColumnHidden(column)));
