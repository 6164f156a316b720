import { type RefObject, useEffect } from 'react';
import type { Cell } from './sheet-rows.ts';

const moves: Record<string, Cell> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

/** A click selects a cell, or the cell to which a link leads; the arrow keys move the selection. */
export function useCellSelection(
  scroller: RefObject<HTMLElement | null>,
  {
    selectedCell,
    last,
    onPress,
    onFollow,
    onMove,
  }: {
    selectedCell: Cell | null;
    last: Cell;
    onPress: (cell: Cell) => void;
    /** Shows the cell of a sheet to which a link leads. */
    onFollow: (sheet: number, cell: Cell) => void;
    onMove: (cell: Cell) => void;
  },
) {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const selectClicked = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLElement>('[data-linked-cell]') : null;
      const [sheet, linkedRow, linkedColumn] = (link?.dataset.linkedCell ?? '').split(',').map(Number);
      if (sheet !== undefined && linkedRow !== undefined && linkedColumn !== undefined)
        return onFollow(sheet, { row: linkedRow, column: linkedColumn });
      const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-cell]') : null;
      const [row, column] = (cell?.dataset.cell ?? '').split(',').map(Number);
      if (row !== undefined && column !== undefined) onPress({ row, column });
    };
    const moveSelection = (event: KeyboardEvent) => {
      const move = moves[event.key];
      if (!move || !selectedCell || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      onMove({
        row: Math.max(0, Math.min(last.row, selectedCell.row + move.row)),
        column: Math.max(0, Math.min(last.column, selectedCell.column + move.column)),
      });
    };
    element.addEventListener('click', selectClicked);
    element.addEventListener('keydown', moveSelection);
    return () => {
      element.removeEventListener('click', selectClicked);
      element.removeEventListener('keydown', moveSelection);
    };
  });
}
