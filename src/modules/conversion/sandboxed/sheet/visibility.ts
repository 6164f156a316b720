import type XLSX from '@e965/xlsx';
import type { ZeroSizes } from './zero-sizes.ts';

/** Which rows and columns of a sheet its author has hidden, by index from 0. */
export type Visibility = {
  isRowHidden(row: number): boolean;
  isColumnHidden(column: number): boolean;
};

/** Hidden by hand, by a filter, by a collapsed outline, or by a height or width of zero. */
const isHiddenRow = (row: XLSX.RowInfo | undefined) =>
  row !== undefined && (row.hidden === true || row.hpt === 0 || row.hpx === 0);
const isHiddenColumn = (column: XLSX.ColInfo | undefined) =>
  column !== undefined && (column.hidden === true || column.width === 0 || column.wpx === 0);

/** For the formats of Excel, by what the library reports and by the sizes that it does not. */
export const excelVisibility = (sheet: XLSX.WorkSheet, zero: ZeroSizes | undefined): Visibility => ({
  isRowHidden: (row) => isHiddenRow(sheet['!rows']?.[row]) || zero?.rows.has(row) === true,
  isColumnHidden: (column) => {
    const info = sheet['!cols']?.[column];
    return info ? isHiddenColumn(info) : zero?.isDefaultColumn === true;
  },
});

/** Sheets of an Excel file that are hidden, or "very hidden" so that only a macro shows them. */
export const hiddenExcelSheets = ({ Workbook }: XLSX.WorkBook): Set<string> =>
  new Set((Workbook?.Sheets ?? []).flatMap(({ name, Hidden }) => (name && Hidden ? [name] : [])));

/** Without the rows and columns that are hidden. */
export const visibleCells = <Cell>(cells: Cell[][], visibility: Visibility): Cell[][] =>
  cells
    .filter((_, row) => !visibility.isRowHidden(row))
    .map((row) => row.filter((_, column) => !visibility.isColumnHidden(column)));
