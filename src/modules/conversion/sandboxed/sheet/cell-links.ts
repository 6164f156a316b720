import XLSX from '@e965/xlsx';
import { isAllowedLinkUrl } from '../../cell-link.contract.ts';
import type { Visibility } from './cell-visibility.ts';
import { MAX_COLUMNS, MAX_ROWS } from './limits.ts';
import { visibleBefore } from './merged-cells.ts';
import type { CellTarget, SheetLink } from './sheet.ts';

/** A link as a file declares it. Positions are zero-based and those of the file. */
export type FileLink = { row: number; column: number; target: string };

const MAX_LINKS = 20_000;

/** Links of the cells of a sheet, as the library reports them. */
export function readCellLinks(cells: (XLSX.CellObject | undefined)[][]): FileLink[] {
  const links: FileLink[] = [];
  for (const [row, rowCells] of Object.entries(cells))
    for (const [column, cell] of Object.entries(rowCells ?? [])) {
      if (links.length >= MAX_LINKS) return links;
      if (cell?.l?.Target) links.push({ row: Number(row), column: Number(column), target: cell.l.Target });
    }
  return links;
}

/** Drops links at hidden cells, and those to files and other targets that the reader does not open. */
export function visibleLinks(links: FileLink[], visibility: Visibility, sheet: string): SheetLink[] {
  if (links.length === 0) return [];
  const inSheet = links.filter(({ row, column }) => row < MAX_ROWS && column < MAX_COLUMNS);
  const rows = visibleBefore(
    inSheet.reduce((last, { row }) => Math.max(last, row + 1), 0),
    visibility.isRowHidden,
  );
  const columns = visibleBefore(MAX_COLUMNS, visibility.isColumnHidden);
  return inSheet.flatMap(({ row, column, target }) => {
    const parsedTarget = parseLinkTarget(target, sheet);
    if (!parsedTarget || visibility.isRowHidden(row) || visibility.isColumnHidden(column)) return [];
    return [{ row: rows[row] ?? 0, column: columns[column] ?? 0, target: parsedTarget }];
  });
}

/** Excel writes `#'My sheet'!B3`, OpenDocument `#My sheet.B3`; without a sheet, the cell is in the same one. */
const CELL_REFERENCE = /^#(?:'((?:[^']|'')*)'[!.]|([^'!]*?)[!.])?\$?([A-Z]{1,3})\$?(\d{1,7})(?::.*)?$/i;

function parseLinkTarget(target: string, currentSheet: string): string | CellTarget | null {
  if (isAllowedLinkUrl(target)) return target;
  const [, quotedSheet, sheet, letters, number] = CELL_REFERENCE.exec(target) ?? [];
  if (!letters || !number) return null;
  const { r: row, c: column } = XLSX.utils.decode_cell(`${letters.toUpperCase()}${number}`);
  return { sheet: quotedSheet?.replaceAll("''", "'") ?? (sheet || currentSheet), row, column };
}
