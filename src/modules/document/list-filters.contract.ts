import * as z from 'zod/mini';
import { count, id, text, zeroOrId } from '#platform/contract/shapes.ts';

/** Filters that the document list and the recycle bin share. */
export const listFilters = {
  category_id: z.optional(z.array(zeroOrId)),
  user_id: z.optional(z.array(id)),
  status: z.optional(z.array(count)),
  is_recommend: z.optional(z.array(z.boolean())),
  ext: z.optional(text(16, '类型')),
  fee_type: z.optional(text(16, '费用')),
  language: z.optional(z.array(text(16, '语言'))),
  /** Start and optional end; without a time zone, in that of the site. */
  created_at: z.optional(z.array(text(40, '时间')).check(z.maxLength(2, '时间范围不正确'))),
};
