import { displayWidth } from '#modules/text/wide-characters.contract.ts';

export function alignColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))));
  const padCell = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell));
  return rows.map((row) => row.map(padCell).join('  ').trimEnd());
}
