import { findOccurrences, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import { isWideCharacter } from '#modules/text/wide-characters.contract.ts';
import type { ReadingPage } from '../../reading.contract.ts';
import type { ReaderLayout } from '../reader-store.ts';

export const PAGE_ROWS = 100;
export const ROW_HEIGHT_PX = 32;

/** A, B, … Z, AA, … */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

/** Letters of the first `count` columns of a sheet, as in the workbook. */
export const columnLabels = ({ column_numbers }: Pick<SheetPages, 'column_numbers'>, count: number): string[] =>
  Array.from({ length: count }, (_, column) => columnName((column_numbers?.[column] ?? column + 1) - 1));

/**
 * Number of a row (zero-based position) in the workbook, from the page that contains it. While that page is loading,
 * the first page shows whether rows of the sheet are hidden; empty if they are, and while no page is known.
 */
export function rowLabel(
  row: number,
  { page, firstPage }: Record<'page' | 'firstPage', Pick<ReadingPage, 'row_numbers'> | undefined>,
): string {
  const knownPage = page ?? firstPage;
  if (!knownPage) return '';
  if (!knownPage.row_numbers) return String(row + 1);
  return String(page?.row_numbers?.[row % PAGE_ROWS] ?? '');
}

/** Empty while the label of the row is. */
export const cellName = (columnLabel: string, label: string): string => (label === '' ? '' : columnLabel + label);

/** A sheet with the pages that contain its rows. */
export type SheetPages = ReaderLayout['sheets'][number] & { index: number; lastPage: number };

export const sheetsWithPageRanges = ({ sheets, readable }: Pick<ReaderLayout, 'sheets' | 'readable'>): SheetPages[] =>
  sheets.map((sheet, index) => ({
    ...sheet,
    index,
    lastPage: Math.min(readable, (sheets[index + 1]?.page ?? Number.POSITIVE_INFINITY) - 1),
  }));

export const readableRowCount = ({ page, lastPage, rows }: SheetPages): number =>
  Math.max(0, Math.min(rows, (lastPage - page + 1) * PAGE_ROWS));

export const sheetOfPage = (sheets: SheetPages[], page: number): SheetPages | undefined =>
  sheets.findLast((sheet) => sheet.page <= page) ?? sheets[0];

const estimateTextWidth = (text: string) =>
  [...text.slice(0, 60)].reduce((sum, letter) => sum + (isWideCharacter(letter) ? 14 : 8), 0);

/** For columns that the first rows do not have; constant, so that the layout does not shift. */
const DEFAULT_COLUMN_WIDTH_PX = 144;

/** For a width in characters of the workbook; the padding of the grid is wider. */
const declaredWidth = (characters: number) => Math.min(600, Math.max(48, 7 * characters + 20));

/**
 * Widths in pixels: as declared (in characters), or else by the text of the first rows, limited for long texts. Later
 * rows may have more columns.
 */
export function columnWidths(rows: string[][], columns = 0, declaredWidths: number[] = []): number[] {
  const knownColumns = Math.max(1, ...rows.map((row) => row.length));
  return Array.from({ length: Math.max(knownColumns, columns) }, (_, column) => {
    const characters = declaredWidths[column];
    if (characters) return declaredWidth(characters);
    if (column >= knownColumns) return DEFAULT_COLUMN_WIDTH_PX;
    const longest = Math.max(0, ...rows.slice(0, 200).map((row) => estimateTextWidth(row[column] ?? '')));
    return Math.min(320, Math.max(72, longest + 26));
  });
}

export type Cell = { row: number; column: number };

/** The cell (zero-based) in which the `index`th hit of a page begins. Cells are joined as on the server. */
export function cellOfHit({ rows }: Pick<ReadingPage, 'rows'>, needle: string, index: number): Cell | null {
  const lines = rows.map((row) => row.join('\t').trimEnd());
  const hit = findOccurrences(normalizeWithOffsets(lines.join('\n')), needle)[index];
  if (!hit) return null;
  let at = 0;
  for (const [row, line] of lines.entries()) {
    if (hit.start <= at + line.length) return { row, column: line.slice(0, hit.start - at).split('\t').length - 1 };
    at += line.length + 1;
  }
  return null;
}
