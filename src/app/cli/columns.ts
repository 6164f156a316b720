/** Characters that take two columns of a terminal. */
const WIDE = /[\p{Script=Han}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/gu;

export const displayWidth = (text: string): number => [...text].length + (text.match(WIDE)?.length ?? 0);

/** Rows as lines whose cells stand below each other. */
export function inColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at] ?? ''))));
  const padded = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - displayWidth(cell));
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}
