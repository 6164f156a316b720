import type { CellStyle } from '#modules/conversion/cell-style.contract.ts';
import type { ReadingPage } from '../../reading.contract.ts';
import { PAGE_ROWS } from './sheet-rows.ts';

/** The part of a merged cell in one row. */
export type MergedPart = { column: number; columns: number; hasRowAbove: boolean; hasRowBelow: boolean };
type MergedCells = NonNullable<ReadingPage['merged_cells']>;

const partsByRow = new WeakMap<MergedCells, Map<number, MergedPart[]>>();

/** Parts of merged cells by the row of a page. Repeated calls return the same objects. */
export function mergedPartsByRow(mergedCells: MergedCells): Map<number, MergedPart[]> {
  const cachedParts = partsByRow.get(mergedCells);
  if (cachedParts) return cachedParts;
  const parts = new Map<number, MergedPart[]>();
  for (const [first, column, rows, columns] of mergedCells)
    for (let row = Math.max(0, first); row < Math.min(PAGE_ROWS, first + rows); row++) {
      const part = { column, columns, hasRowAbove: row > first, hasRowBelow: row < first + rows - 1 };
      parts.set(row, [...(parts.get(row) ?? []), part]);
    }
  partsByRow.set(mergedCells, parts);
  return parts;
}

/** A drawn cell: its first column, and how many columns it spans. */
export type DrawnCell = { column: number; span: number; part?: MergedPart };

/** The cells to draw in a row: those that a merged cell covers are left out. */
export function drawnCells(columns: number, parts: MergedPart[] = []): DrawnCell[] {
  const cells: DrawnCell[] = [];
  for (let column = 0; column < columns; ) {
    const part = parts.find((each) => each.column === column);
    const span = Math.min(part?.columns ?? 1, columns - column);
    cells.push(part ? { column, span, part } : { column, span });
    column += span;
  }
  return cells;
}

/** Style of a part of a merged cell: without lines between its rows, and with the line at its right end. */
export function styleOfPart(styles: (CellStyle | undefined)[] | undefined, cell: DrawnCell): CellStyle | undefined {
  const { column, span, part } = cell;
  const style = styles?.[column];
  if (!part) return style;
  const sides = (style?.borders ?? '').replace('r', '');
  const borders = [
    !part.hasRowAbove && sides.includes('t') && 't',
    styles?.[column + span - 1]?.borders?.includes('r') && 'r',
    !part.hasRowBelow && sides.includes('b') && 'b',
    sides.includes('l') && 'l',
  ];
  return { ...style, borders: borders.filter(Boolean).join('') };
}
