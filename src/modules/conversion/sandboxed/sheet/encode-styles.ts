import type { CellStyle, SectionStyles } from '../../cell-style.contract.ts';
import { MAX_STYLES_PER_SECTION } from '../../validated-cell-styles.ts';

/** Collects the distinct styles of a section and encodes its rows as runs; undefined if no cell has a style. */
export function encodeStyles(rows: (CellStyle | undefined)[][]): SectionStyles | undefined {
  const numbers = new Map<string, number>();
  const styles: CellStyle[] = [];
  const numberOf = (style: CellStyle | undefined): number => {
    if (!style) return 0;
    const key = JSON.stringify(style);
    const knownNumber = numbers.get(key);
    if (knownNumber !== undefined) return knownNumber;
    // Further styles of a section are left out.
    if (styles.length >= MAX_STYLES_PER_SECTION) return 0;
    styles.push(style);
    numbers.set(key, styles.length);
    return styles.length;
  };
  const runs = rows.map((row) => encodeRuns(row.map(numberOf)));
  return styles.length > 0 ? { styles, runs } : undefined;
}

/** Pairs of a count and a number; zeros at the end are left out. */
function encodeRuns(numbers: number[]): number[] {
  const runs: { count: number; number: number }[] = [];
  for (const number of numbers.slice(0, numbers.findLastIndex((each) => each > 0) + 1)) {
    const last = runs.at(-1);
    if (last?.number === number) last.count++;
    else runs.push({ count: 1, number });
  }
  return runs.flatMap(({ count, number }) => [count, number]);
}
