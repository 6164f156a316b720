import type { Cell } from './sheet-rows.ts';

type CellMove = {
  key: string;
  /** Ctrl, or Command on a Mac. */
  isEdge: boolean;
  /** Null if no cell is selected. */
  from: Cell | null;
  last: Cell;
  /** Rows that fit into the window. */
  windowRows: number;
};

/** The cell to which a key moves the selection; null for keys that do not move it. */
export function cellAfterKey({ key, isEdge, from, last, windowRows }: CellMove): Cell | null {
  if (isEdge) return key === 'Home' ? { row: 0, column: 0 } : key === 'End' ? last : null;
  if (!from) return null;
  const { row, column } = from;
  const targets: Record<string, Cell> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - windowRows, column },
    PageDown: { row: row + windowRows, column },
    Home: { row, column: 0 },
    End: { row, column: last.column },
  };
  const target = targets[key];
  return target
    ? {
        row: Math.max(0, Math.min(last.row, target.row)),
        column: Math.max(0, Math.min(last.column, target.column)),
      }
    : null;
}
