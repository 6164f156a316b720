import * as z from 'zod/mini';

/** A section of flowing text, or rows of a table, as it is stored. */
export const section = z.object({
  html: z.optional(z.string()),
  /** The same as plain text. */
  text: z.optional(z.string()),
  rows: z.optional(z.array(z.array(z.string()))),
});
export type Section = z.infer<typeof section>;
