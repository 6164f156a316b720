import { useEffect } from 'react';

type Row = { id: number; children?: readonly Row[] };

const idsOf = (rows: readonly Row[]): number[] => rows.flatMap(({ id, children = [] }) => [id, ...idsOf(children)]);

/** Of what is selected, what is still in sight; the same array when all of it is. */
export function stillShown(selected: number[], rows: readonly Row[]): number[] {
  if (selected.length === 0) return selected;
  const shown = new Set(idsOf(rows));
  const kept = selected.filter((id) => shown.has(id));
  return kept.length === selected.length ? selected : kept;
}

/** On another page, or under another filter, nothing is done to rows that nobody sees. */
export function useShownSelection(
  rows: readonly Row[] | undefined,
  selected: number[] | undefined,
  onSelect: ((ids: number[]) => void) | undefined,
): void {
  useEffect(() => {
    if (!selected || !onSelect) return;
    const kept = stillShown(selected, rows ?? []);
    if (kept !== selected) onSelect(kept);
  }, [rows, selected, onSelect]);
}
