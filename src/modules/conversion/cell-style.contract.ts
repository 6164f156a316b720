import * as z from 'zod/mini';
import { count } from '#platform/contract/shapes.ts';

const flag = z.optional(z.literal(true));

/** Appearance of a spreadsheet cell. Colours are six hexadecimal digits. */
const cellStyle = z.object({
  fill: z.optional(z.string()),
  color: z.optional(z.string()),
  bold: flag,
  italic: flag,
  underline: flag,
  strike: flag,
  align: z.optional(z.enum(['center', 'right'])),
  wrap: flag,
  /** Sides with a border: top, right, bottom, left. */
  borders: z.optional(z.string()),
});
export type CellStyle = z.infer<typeof cellStyle>;

/** Styles of the rows of a section. */
export const sectionStyles = z.object({
  styles: z.array(cellStyle),
  /**
   * For each row, pairs of a number of neighbouring cells and their style: its position (from 1) in `styles`, or 0 for
   * none. Cells after the last pair have no style.
   */
  runs: z.array(z.array(count)),
});
export type SectionStyles = z.infer<typeof sectionStyles>;

/**
 * First row (zero-based, negative if it is in an earlier section) and first column of each merged cell, and the numbers
 * of its rows and columns.
 */
export const sectionMergedCells = z.array(z.tuple([count, count, count, count]));
