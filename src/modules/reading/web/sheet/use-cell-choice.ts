import { type RefObject, useEffect } from 'react';
import type { Cell } from './sheet-rows.ts';

const moves: Record<string, Cell> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

/** A press on a cell looks at it; the arrow keys then go from cell to cell. */
export function useCellChoice(
  scroller: RefObject<HTMLElement | null>,
  {
    looked,
    last,
    onPress,
    onMove,
  }: {
    looked: Cell | null;
    last: Cell;
    onPress: (cell: Cell) => void;
    onMove: (cell: Cell) => void;
  },
) {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const press = ({ target }: MouseEvent) => {
      const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-cell]') : null;
      const [row, column] = (cell?.dataset.cell ?? '').split(',').map(Number);
      if (row !== undefined && column !== undefined) onPress({ row, column });
    };
    const step = (event: KeyboardEvent) => {
      const move = moves[event.key];
      if (!move || !looked || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      onMove({
        row: Math.max(0, Math.min(last.row, looked.row + move.row)),
        column: Math.max(0, Math.min(last.column, looked.column + move.column)),
      });
    };
    element.addEventListener('click', press);
    element.addEventListener('keydown', step);
    return () => {
      element.removeEventListener('click', press);
      element.removeEventListener('keydown', step);
    };
  });
}
