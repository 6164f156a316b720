import { displayWidth } from '#modules/text/wide-characters.contract.ts';

/** Rows as lines whose cells stand below each other. */
export function inColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at] ?? ''))));
  const padded = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - displayWidth(cell));
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}
