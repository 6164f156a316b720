import * as z from 'zod/mini';
import { replacedFont } from './replaced-font.contract.ts';

const count = z.int().check(z.gte(0), z.lte(10_000_000));

export const MAX_WIDTH_CHARACTERS = 255;

const instant = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/));

export const documentRestrictions = z.object({
  copying: z.boolean(),
  printing: z.boolean(),
  /** Before and after these times the document may neither be copied nor printed. */
  valid_from: z.optional(instant),
  valid_until: z.optional(instant),
});
export type DocumentRestrictions = z.infer<typeof documentRestrictions>;

/** Data that the reader loads first; stored as meta.json. */
export const renditionMeta = z.object({
  /** Width and height of each page, in pixels of its large image; empty for flowing text. */
  sizes: z.array(z.tuple([count, count])),
  /** Table of contents: depth from 0, title, page from 1 (0 without a target). */
  outline: z.array(z.object({ depth: count, title: z.string(), page: count })),
  /** Offset of the words of each page in words.bin, and the end of the last one. */
  words: z.array(count),
  /** Older conversions did not store the number of columns. */
  sheets: z.array(
    z.object({
      name: z.string(),
      page: count,
      rows: count,
      cut: z.boolean(),
      columns: z.optional(count),
      /** Numbers (from 1) that the columns have in the workbook; absent if no column is hidden between them. */
      column_numbers: z.optional(z.array(count)),
      /** Declared widths in characters, 0 for the default; absent if none is declared. */
      widths: z.optional(z.array(z.int().check(z.gte(0), z.lte(MAX_WIDTH_CHARACTERS)))),
      /** Numbers of rows and columns that stay visible; absent if the file freezes none. */
      frozen: z.optional(z.tuple([count, count])),
    }),
  ),
  /** Restrictions set in the document itself. Absent in older conversions: no restrictions. */
  forbids: z.optional(documentRestrictions),
  /** Pages without usable text whose text can be recognized. Absent in older conversions. */
  scannedPages: z.optional(z.array(count)),
  /** Fonts that are not in a PDF and not installed. */
  replacedFonts: z.optional(z.array(replacedFont)),
  title: z.string(),
  author: z.string(),
});
export type RenditionMeta = z.infer<typeof renditionMeta>;
