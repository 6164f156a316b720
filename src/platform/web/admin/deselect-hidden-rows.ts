import { useEffect } from 'react';

type Row = { id: number; children?: readonly Row[] };

const idsOf = (rows: readonly Row[]): number[] => rows.flatMap(({ id, children = [] }) => [id, ...idsOf(children)]);

/** Selected ids whose rows are visible. Returns the same array when all are, so that React skips the update. */
export function selectVisibleIds(selectedIds: number[], rows: readonly Row[]): number[] {
  if (selectedIds.length === 0) return selectedIds;
  const visibleIds = new Set(idsOf(rows));
  const visibleSelectedIds = selectedIds.filter((id) => visibleIds.has(id));
  return visibleSelectedIds.length === selectedIds.length ? selectedIds : visibleSelectedIds;
}

/** Deselects rows that are no longer visible after a change of page or filter, so that bulk actions skip them. */
export function useDeselectHiddenRows(
  rows: readonly Row[] | undefined,
  selectedIds: number[] | undefined,
  onSelect: ((ids: number[]) => void) | undefined,
): void {
  useEffect(() => {
    if (!selectedIds || !onSelect) return;
    const visibleSelectedIds = selectVisibleIds(selectedIds, rows ?? []);
    if (visibleSelectedIds !== selectedIds) onSelect(visibleSelectedIds);
  }, [rows, selectedIds, onSelect]);
}
