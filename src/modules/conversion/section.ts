import * as z from 'zod/mini';

/** Stored form of a section of flowing text, or of rows of a table. */
export const section = z.object({
  html: z.optional(z.string()),
  /** Plain text of `html`. */
  text: z.optional(z.string()),
  rows: z.optional(z.array(z.array(z.string()))),
});
export type Section = z.infer<typeof section>;
