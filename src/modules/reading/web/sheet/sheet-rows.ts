import { findOccurrences, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import type { ReadingPage } from '../../reading.contract.ts';
import type { Layout } from '../reader-store.ts';

/** Rows that count as one page. */
export const PAGE_ROWS = 100;
export const ROW_HEIGHT = 32;

/** A, B, … Z, AA, … */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

/** A sheet and where its rows lie among the pages of the document. */
export type SheetPlace = Layout['sheets'][number] & { index: number; lastPage: number };

export const sheetsOf = ({ sheets, readable }: Pick<Layout, 'sheets' | 'readable'>): SheetPlace[] =>
  sheets.map((sheet, index) => ({
    ...sheet,
    index,
    lastPage: Math.min(readable, (sheets[index + 1]?.page ?? Number.POSITIVE_INFINITY) - 1),
  }));

/** Rows of a sheet that may be read. */
export const rowsOf = ({ page, lastPage, rows }: SheetPlace): number =>
  Math.max(0, Math.min(rows, (lastPage - page + 1) * PAGE_ROWS));

export const sheetOfPage = (sheets: SheetPlace[], page: number): SheetPlace | undefined =>
  sheets.findLast((sheet) => sheet.page <= page) ?? sheets[0];

const widthOf = (text: string) =>
  [...text.slice(0, 60)].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/.test(letter) ? 14 : 8), 0);

/** What the first rows do not show is unknown, and must not change while one looks at it. */
const UNKNOWN_WIDTH = 144;

/**
 * Widths in pixels, by what the first rows hold; a long text does not push the others away. Rows
 * further down may have more columns than those.
 */
export function columnWidths(rows: string[][], columns = 0): number[] {
  const known = Math.max(1, ...rows.map((row) => row.length));
  return Array.from({ length: Math.max(known, columns) }, (_, column) => {
    if (column >= known) return UNKNOWN_WIDTH;
    const longest = Math.max(0, ...rows.slice(0, 200).map((row) => widthOf(row[column] ?? '')));
    return Math.min(320, Math.max(72, longest + 26));
  });
}

export type Cell = { row: number; column: number };

/** In which cell of its page the `index`th hit begins; rows from 0. Joined as the server joins them. */
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
