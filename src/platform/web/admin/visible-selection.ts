import { useEffect } from 'react';

type Row = { id: number; children?: readonly Row[] };

const idsOf = (rows: readonly Row[]): number[] => rows.flatMap(({ id, children = [] }) => [id, ...idsOf(children)]);

/** Selected ids whose rows are visible. Returns the same array when all are, so that React skips the update. */
export function visibleSelection(selected: number[], rows: readonly Row[]): number[] {
  if (selected.length === 0) return selected;
  const visibleIds = new Set(idsOf(rows));
  const visible = selected.filter((id) => visibleIds.has(id));
  return visible.length === selected.length ? selected : visible;
}

/** Deselects rows that are no longer visible after a change of page or filter, so that bulk actions skip them. */
export function useVisibleSelection(
  rows: readonly Row[] | undefined,
  selected: number[] | undefined,
  onSelect: ((ids: number[]) => void) | undefined,
): void {
  useEffect(() => {
    if (!selected || !onSelect) return;
    const visible = visibleSelection(selected, rows ?? []);
    if (visible !== selected) onSelect(visible);
  }, [rows, selected, onSelect]);
}
