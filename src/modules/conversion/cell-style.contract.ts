import * as z from 'zod/mini';

const color = z.string().check(z.regex(/^[0-9a-f]{6}$/));
const flag = z.optional(z.literal(true));

export const MAX_STYLES_PER_SECTION = 1_000;
const MAX_CELLS_PER_ROW = 200;
const runNumber = z.int().check(z.gte(0), z.lte(MAX_STYLES_PER_SECTION));
/** Pairs of a count and a style. */
const styleRuns = z.array(runNumber).check(
  z.maxLength(2 * MAX_CELLS_PER_ROW),
  z.refine((runs) => runs.length % 2 === 0 && sumOfCounts(runs) <= MAX_CELLS_PER_ROW),
);
const sumOfCounts = (runs: number[]) => runs.reduce((sum, number, at) => (at % 2 === 0 ? sum + number : sum), 0);

/** Appearance of a spreadsheet cell. Colours are six hexadecimal digits. */
const cellStyle = z.object({
  fill: z.optional(color),
  color: z.optional(color),
  bold: flag,
  italic: flag,
  underline: flag,
  strike: flag,
  align: z.optional(z.enum(['center', 'right'])),
  wrap: flag,
  /** Sides with a border: top, right, bottom, left. */
  borders: z.optional(z.string().check(z.regex(/^t?r?b?l?$/))),
});
export type CellStyle = z.infer<typeof cellStyle>;

/** Styles of the rows of a section. */
export const sectionStyles = z.object({
  styles: z.array(cellStyle).check(z.maxLength(MAX_STYLES_PER_SECTION)),
  /**
   * For each row, pairs of a number of neighbouring cells and their style: its position (from 1) in `styles`, or 0 for
   * none. Cells after the last pair have no style.
   */
  runs: z.array(styleRuns).check(z.maxLength(1_000)),
});
export type SectionStyles = z.infer<typeof sectionStyles>;

export const MAX_MERGED_CELLS_PER_SECTION = 10_000;
const position = z.int().check(z.gte(-10_000), z.lte(10_000));
const span = z.int().check(z.gte(1), z.lte(10_000));

/**
 * First row (zero-based, negative if it is in an earlier section) and first column of each merged cell, and the numbers
 * of its rows and columns.
 */
export const sectionMergedCells = z
  .array(z.tuple([position, position, span, span]))
  .check(z.maxLength(MAX_MERGED_CELLS_PER_SECTION));
