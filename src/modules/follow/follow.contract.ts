import * as z from 'zod/mini';
import { publicUser } from '#modules/account/account.contract.ts';
import { activity } from '#modules/activity/activity.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, emptyObject, id, listInput, listResponse, time } from '#platform/contract/shapes.ts';

export const FOLLOWS_PAGE_SIZE = 20;

const { page, size, field } = listInput;

/** A user in a list of fans or of followed users. */
const followListUser = z.extend(publicUser, {
  /** Whether the caller follows the user. */
  is_following: z.boolean(),
  followed_at: time,
});
export type FollowListUser = z.infer<typeof followListUser>;

const feedItem = z.extend(activity, {
  user: z.object({ id: count, username: z.string(), avatar: z.string() }),
  /** Document of the activity; 0 when it is about no document. */
  document_id: count,
});
export type FeedItem = z.infer<typeof feedItem>;

export const followApi = {
  create: endpoint({
    method: 'POST',
    path: '/follow',
    access: 'user',
    summary: '关注用户',
    input: z.object({ user_id: id }),
    output: emptyObject,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/follow',
    access: 'user',
    summary: '取消关注',
    input: z.object({ user_id: id }),
    output: emptyObject,
  }),
  get: endpoint({
    method: 'GET',
    path: '/follow',
    access: 'user',
    summary: '当前用户是否关注了某人，某人是否关注了当前用户',
    input: z.object({ user_id: id }),
    output: z.object({ user_id: count, is_following: z.boolean(), is_fan: z.boolean() }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/follow/list',
    access: 'public',
    summary: '用户的粉丝（fans）或关注的人（follow），新的在前；没有给出 user_id 时为当前用户',
    input: z.object({
      page,
      size,
      field,
      user_id: z.optional(z.int('编号不正确').check(z.gte(0, '编号不正确'))),
      type: z._default(z.enum(['fans', 'follow'], '类型应为 fans 或 follow'), 'follow'),
    }),
    output: z.object({
      total: count,
      /** Number of fans who hide whom they follow and are therefore not listed. */
      hidden: count,
      user: z.array(followListUser),
    }),
  }),
  feed: endpoint({
    method: 'GET',
    path: '/follow/dynamic',
    access: 'user',
    summary: '关注的人最近的动态，新的在前',
    input: z.object({ page, size, field }),
    output: listResponse('dynamic', feedItem),
  }),
};

export const followErrors = defineErrors('follow', {
  yourself: [400, '不能关注自己'],
  exists: [409, '您已经关注了这位用户'],
  hidden: [403, '这位用户没有公开关注的人'],
  tooMany: [409, '最多关注 2000 人'],
});
