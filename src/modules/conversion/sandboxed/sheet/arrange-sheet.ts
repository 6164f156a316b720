import XLSX from '@e965/xlsx';
import type { PictureList } from '../sheet-pictures/picture-list.ts';
import { type FileLink, visibleLinks } from './cell-links.ts';
import { numbersOfVisibleRowsOrColumns, type Visibility, visibleCells } from './cell-visibility.ts';
import { type FrozenPanes, visibleFrozenPanes } from './frozen-panes.ts';
import { cleanCellText, MAX_COLUMNS, trimRows } from './limits.ts';
import { copyMergedTextToVisibleCell, visibleMergedCells } from './merged-cells.ts';
import type { Sheet, VisiblePicture } from './sheet.ts';
import { type StyleAt, stylesOfVisibleCells } from './visible-cell-styles.ts';
import { picturesOfSheet, visiblePictures } from './visible-pictures.ts';

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
export function arrangeSheet(name: string, sheet: SheetCells, pictureList: PictureList): Sheet {
  const { info, texts, visibility, fileRows, isCut, styleAt, frozen } = sheet;
  const cleanName = cleanCellText(name).slice(0, 100);
  const filePictures = picturesOfSheet(pictureList, cleanName, { texts, merges: info['!merges'] ?? [] });
  copyMergedTextToVisibleCell(texts, info['!merges'] ?? [], visibility);
  const mergedCells = visibleMergedCells(info['!merges'] ?? [], visibility);
  const links = visibleLinks(sheet.links, visibility, name);
  const visibleRows = visibleCells(texts, visibility);
  const pictures = visiblePictures(filePictures, visibility, { readRows: texts.length, isCut });
  const trimmedRows = addRowsBelow(trimRows(visibleRows), pictures);
  const widths = Array.from((info['!cols'] ?? []).slice(0, MAX_COLUMNS))
    .filter((_, column) => !visibility.isColumnHidden(column))
    .map((column) => Math.round(column?.wch ?? 0));
  const rowNumbers = numbersOfVisibleRowsOrColumns(trimmedRows.length, visibility.isRowHidden);
  const columnCount = countColumns({ rows: trimmedRows, pictures });
  const columnNumbers = numbersOfVisibleRowsOrColumns(columnCount, visibility.isColumnHidden);
  const styles =
    styleAt && stylesOfVisibleCells({ rows: trimmedRows.length, columns: columnCount }, { visibility, styleAt });
  const hiddenRows = texts.length - visibleRows.length;
  return {
    name: cleanName,
    rows: trimmedRows,
    ...(styles && { styles }),
    ...(mergedCells.length > 0 && { mergedCells }),
    total: isCut ? (fileRows ?? texts.length) - hiddenRows : trimmedRows.length,
    widths,
    ...(links.length > 0 && { links }),
    ...(pictures.length > 0 && { pictures }),
    ...frozenPanesBeside(pictures, frozen && visibleFrozenPanes(frozen, visibility)),
    ...(rowNumbers && { rowNumbers }),
    ...(columnNumbers && { columnNumbers }),
  };
}

/** Empty rows behind pictures that end below the last cell. */
function addRowsBelow(rows: string[][], pictures: VisiblePicture[]): string[][] {
  const end = pictures.reduce((last, picture) => Math.max(last, picture.row + picture.rows), 0);
  return [...rows, ...Array.from({ length: Math.ceil(end) - rows.length }, () => [])];
}

/** By default the reader keeps the first row visible, which would keep a picture that begins there, too. */
function frozenPanesBeside(pictures: VisiblePicture[], panes: Sheet['frozen']): Pick<Sheet, 'frozen'> {
  if (panes) return { frozen: panes };
  return pictures.some(({ row }) => row < 1) ? { frozen: [0, 0] } : {};
}

/** Columns with cells or pictures. */
export const countColumns = ({ rows, pictures = [] }: Pick<Sheet, 'rows' | 'pictures'>): number =>
  pictures.reduce((last, { column, columns }) => Math.max(last, Math.ceil(column + columns)), longestRow(rows));

/** A sheet may have more rows than a function can have arguments. */
const longestRow = (rows: readonly string[][]): number =>
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
