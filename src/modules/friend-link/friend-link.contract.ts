import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import {
  count,
  emptyObject,
  id,
  ids,
  listResponse,
  nonNegativeInt,
  optionallyPagedListInput,
  requiredText,
  text,
  time,
} from '#platform/contract/shapes.ts';

const friendLink = z.object({
  id: count,
  title: z.string(),
  link: z.string(),
  description: z.string(),
  sort: count,
  enable: z.boolean(),
  created_at: time,
  updated_at: time,
});
export type FriendLink = z.infer<typeof friendLink>;

const LINK_HINT = '请输入友链地址，以 http:// 或 https:// 开头';
const fields = {
  title: requiredText(64, '请输入名称'),
  link: z
    .string(LINK_HINT)
    .check(z.trim(), z.maxLength(255, '地址不能超过 255 个字符'), z.regex(/^https?:\/\/\S+$/i, LINK_HINT)),
  description: text(1000, '描述'),
  sort: nonNegativeInt,
  enable: z.boolean(),
};

export const friendLinkApi = {
  list: endpoint({
    method: 'GET',
    path: '/friendlink/list',
    access: 'public',
    summary: '友链列表',
    input: z.object({ ...optionallyPagedListInput, enable: z.optional(z.array(z.boolean())) }),
    output: listResponse('friendlink', friendLink),
  }),
  get: endpoint({
    method: 'GET',
    path: '/friendlink',
    access: 'public',
    summary: '根据ID查询友链；没有权限者只能查询启用的友链',
    input: z.object({ id }),
    output: friendLink,
  }),
  create: endpoint({
    method: 'POST',
    path: '/friendlink',
    access: 'permission:FriendlinkAPI/CreateFriendlink',
    summary: '创建友链',
    input: z.object({
      ...fields,
      description: z._default(fields.description, ''),
      sort: z._default(fields.sort, 0),
      enable: z._default(fields.enable, true),
    }),
    output: friendLink,
    ignored: ['id', 'created_at', 'updated_at'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/friendlink',
    access: 'permission:FriendlinkAPI/UpdateFriendlink',
    summary: '更新友链；没有给出的字段不变',
    input: z.object({ ...z.partial(z.object(fields)).shape, id }),
    output: emptyObject,
    ignored: ['created_at', 'updated_at'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/friendlink',
    access: 'permission:FriendlinkAPI/DeleteFriendlink',
    summary: '删除友链',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
};

export const friendLinkErrors = defineErrors('friendlink', {
  notFound: [404, '友链不存在'],
  exists: [409, '友链地址已存在'],
});
