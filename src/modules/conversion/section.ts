import * as z from 'zod/mini';
import {
  validatedCellLinks,
  validatedLinks,
  validatedMergedCells,
  validatedPictures,
  validatedSectionStyles,
} from './validated-cell-styles.ts';

/** Stored form of a section of flowing text, or of rows of a table. */
export const section = z.object({
  html: z.optional(z.string()),
  /** Plain text of `html`. */
  text: z.optional(z.string()),
  rows: z.optional(z.array(z.array(z.string()))),
  /** Numbers that the rows have in the workbook. Absent if no row is hidden, and in older conversions. */
  row_numbers: z.optional(z.array(z.int().check(z.gte(1), z.lte(10_000_000)))),
  merged_cells: z.optional(validatedMergedCells),
  /** Absent without styled cells, and in older conversions. */
  cell_styles: z.optional(validatedSectionStyles),
  links: z.optional(validatedLinks),
  cell_links: z.optional(validatedCellLinks),
  pictures: z.optional(validatedPictures),
});
export type Section = z.infer<typeof section>;
