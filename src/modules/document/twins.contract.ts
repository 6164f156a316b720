import * as z from 'zod/mini';
import { count, time } from '#platform/contract/shapes.ts';

/** Other documents with nearly the same file, oldest first; at most 10 of `total`. */
export const documentTwins = z.object({
  total: count,
  document: z.array(
    z.object({ id: count, title: z.string(), ext: z.string(), username: z.string(), created_at: time }),
  ),
});
export type DocumentTwins = z.infer<typeof documentTwins>;

/** Whether documents with nearly the same file appear as one, the oldest that meets the conditions. */
export const collapseTwins = z._default(z.boolean(), false);

export const twinFilters = {
  /** Documents with or without twins. Only for managers: hidden twins count, too. */
  has_twins: z.optional(z.array(z.boolean())),
  collapse_twins: collapseTwins,
};
