import * as z from 'zod/mini';

const count = z.int().check(z.gte(0), z.lte(10_000_000));

/** What the reader needs first; written to meta.json. */
export const renditionMeta = z.object({
  /** Width and height of each page, in pixels of its large image; empty for flowing text. */
  sizes: z.array(z.tuple([count, count])),
  /** Contents list: depth from 0, title, page from 1 (0 where it leads nowhere). */
  outline: z.array(z.object({ depth: count, title: z.string(), page: count })),
  /** Where the words of each page lie in words.bin: offsets, one more than pages. */
  words: z.array(count),
  /** Names of the sheets and the first page of each; how many columns was not always noted. */
  sheets: z.array(
    z.object({
      name: z.string(),
      page: count,
      rows: count,
      cut: z.boolean(),
      columns: z.optional(count),
    }),
  ),
  /** What the document itself forbids; where it was not noted, nothing. */
  forbids: z.optional(z.object({ copying: z.boolean(), printing: z.boolean() })),
  title: z.string(),
  author: z.string(),
});
export type RenditionMeta = z.infer<typeof renditionMeta>;
