import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, listInput, listResponse, time } from '#platform/contract/shapes.ts';

export const activityTypes = {
  comment: 1,
  favorite: 2,
  upload: 3,
  download: 4,
  login: 5,
  register: 6,
  avatar: 7,
  password: 8,
  profile: 9,
  verify: 10,
  sign: 11,
  share: 12,
  follow: 13,
  delete_document: 14,
} as const;
export type ActivityType = keyof typeof activityTypes;

/** `content` is plain text. */
export const activity = z.object({
  id: count,
  type: count,
  content: z.string(),
  user_id: count,
  created_at: time,
});
export type Activity = z.infer<typeof activity>;

/** Smaller page sizes are raised to this one. */
export const MIN_ACTIVITY_PAGE_SIZE = 10;

const { page, size, field } = listInput;

export const activityApi = {
  list: endpoint({
    method: 'GET',
    path: '/user/dynamic',
    access: 'public',
    summary: '用户动态，新的在前；没有给出 id 时为当前用户',
    input: z.object({
      page,
      size,
      field,
      id: z.optional(z.int('编号不正确').check(z.gte(0, '编号不正确'))),
    }),
    output: listResponse('dynamic', activity),
  }),
};
