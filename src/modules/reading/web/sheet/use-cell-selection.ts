import { type RefObject, useEffect } from 'react';
import { cellAfterKey } from './cell-moves.ts';
import { type Cell, ROW_HEIGHT_PX } from './sheet-rows.ts';

/** Of a window of rows: the column letters, and one row that stays visible when the selection moves by a window. */
const UNMOVED_ROWS = 2;
/** Pictures and links, which Enter opens. */
const targetsOfCell = (cell: string) => `[data-picture-cell="${cell}"], td[data-cell="${cell}"] :is(a, button)`;

/** A click selects a cell, or the cell to which a link leads; keys move the selection and open what is in the cell. */
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
      const { key, target, altKey, shiftKey } = event;
      if (altKey || shiftKey) return;
      // A focused link opens itself.
      if (key === 'Enter' && selectedCell && target === element)
        return element.querySelector<HTMLElement>(targetsOfCell(`${selectedCell.row},${selectedCell.column}`))?.click();
      const windowRows = Math.max(1, Math.floor(element.clientHeight / ROW_HEIGHT_PX) - UNMOVED_ROWS);
      const isEdge = event.ctrlKey || event.metaKey;
      const cell = cellAfterKey({ key, isEdge, from: selectedCell, last, windowRows });
      if (!cell) return;
      // Also keeps the reader from turning pages.
      event.preventDefault();
      onMove(cell);
    };
    element.addEventListener('click', selectClicked);
    element.addEventListener('keydown', moveSelection);
    return () => {
      element.removeEventListener('click', selectClicked);
      element.removeEventListener('keydown', moveSelection);
    };
  });
}
