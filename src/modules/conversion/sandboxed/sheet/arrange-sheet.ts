import XLSX from '@e965/xlsx';
import { type FileLink, visibleLinks } from './cell-links.ts';
import { numbersOfVisibleRowsOrColumns, type Visibility, visibleCells } from './cell-visibility.ts';
import { type FrozenPanes, visibleFrozenPanes } from './frozen-panes.ts';
import { cleanCellText, MAX_COLUMNS, trimRows } from './limits.ts';
import { copyMergedTextToVisibleCell, visibleMergedCells } from './merged-cells.ts';
import type { Sheet } from './sheet.ts';
import { type StyleAt, stylesOfVisibleCells } from './visible-cell-styles.ts';

/** A sheet as read from a file; positions are those of the file. */
export type SheetCells = {
  /** Column widths and merged cells. */
  info: XLSX.WorkSheet;
  /** Texts of the cells, also of hidden ones. */
  texts: string[][];
  visibility: Visibility;
  /** Rows that the file declares. */
  fileRows: number | undefined;
  /** Whether the file has rows that were not read. */
  isCut: boolean;
  styleAt: StyleAt | undefined;
  frozen: FrozenPanes | undefined;
  links: FileLink[];
};

/** Leaves out what the author has hidden. */
export function arrangeSheet(name: string, sheet: SheetCells): Sheet {
  const { info, texts, visibility, fileRows, isCut, styleAt, frozen } = sheet;
  copyMergedTextToVisibleCell(texts, info['!merges'] ?? [], visibility);
  const mergedCells = visibleMergedCells(info['!merges'] ?? [], visibility);
  const links = visibleLinks(sheet.links, visibility, name);
  const visibleRows = visibleCells(texts, visibility);
  const trimmedRows = trimRows(visibleRows);
  const widths = Array.from((info['!cols'] ?? []).slice(0, MAX_COLUMNS))
    .filter((_, column) => !visibility.isColumnHidden(column))
    .map((column) => Math.round(column?.wch ?? 0));
  const rowNumbers = numbersOfVisibleRowsOrColumns(trimmedRows.length, visibility.isRowHidden);
  const columnCount = longestRow(trimmedRows);
  const columnNumbers = numbersOfVisibleRowsOrColumns(columnCount, visibility.isColumnHidden);
  const styles =
    styleAt && stylesOfVisibleCells({ rows: trimmedRows.length, columns: columnCount }, { visibility, styleAt });
  const hiddenRows = texts.length - visibleRows.length;
  return {
    name: cleanCellText(name).slice(0, 100),
    rows: trimmedRows,
    ...(styles && { styles }),
    ...(mergedCells.length > 0 && { mergedCells }),
    total: isCut ? (fileRows ?? texts.length) - hiddenRows : trimmedRows.length,
    widths,
    ...(links.length > 0 && { links }),
    ...(frozen && { frozen: visibleFrozenPanes(frozen, visibility) }),
    ...(rowNumbers && { rowNumbers }),
    ...(columnNumbers && { columnNumbers }),
  };
}

/** A sheet may have more rows than a function can have arguments. */
export const longestRow = (rows: readonly string[][]): number =>
  rows.reduce((longest, { length }) => Math.max(longest, length), 0);

/** Displayed text of a cell. */
export function cellText(cell: XLSX.CellObject, formatCell: (cell: XLSX.CellObject) => string | undefined): string {
  const text = formatCell(cell);
  if (text !== undefined) return cleanCellText(text);
  if (cell.v === undefined || cell.v === null) return '';
  return cleanCellText(cell.v instanceof Date ? cell.v.toISOString() : String(cell.v));
}

/** Last row of the range that a sheet declares, which covers rows that were cut while reading. */
export function declaredRows(info: XLSX.WorkSheet): number | undefined {
  const range = info['!fullref'] ?? info['!ref'];
  return range ? XLSX.utils.decode_range(range).e.r + 1 : undefined;
}
