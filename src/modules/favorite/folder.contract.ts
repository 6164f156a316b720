import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, emptyObject, id, ids, listResponse, requiredText, text, time } from '#platform/contract/shapes.ts';

export const MAX_FOLDERS = 100;

/** 文辑. */
const favoriteFolder = z.object({
  id: count,
  user_id: count,
  title: z.string(),
  description: z.string(),
  is_public: z.boolean(),
  favorite_count: count,
  created_at: time,
  updated_at: time,
});
export type FavoriteFolder = z.infer<typeof favoriteFolder>;

const fields = {
  title: requiredText(50, '请输入文辑名称'),
  description: text(255, '简介'),
  is_public: z.boolean(),
};
const readOnly = ['user_id', 'favorite_count', 'created_at', 'updated_at', 'user'] as const;

export const folderApi = {
  create: endpoint({
    method: 'POST',
    path: '/favorite/folder',
    access: 'user',
    summary: '新建文辑',
    input: z.object({
      title: fields.title,
      description: z._default(fields.description, ''),
      is_public: z._default(fields.is_public, false),
    }),
    output: favoriteFolder,
    ignored: ['id', ...readOnly],
  }),
  get: endpoint({
    method: 'GET',
    path: '/favorite/folder',
    access: 'public',
    summary: '按 id 查询文辑；未公开的只有主人看得到',
    input: z.object({ id }),
    output: z.extend(favoriteFolder, {
      user: z.object({ id: count, username: z.string(), avatar: z.string() }),
    }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/favorite/folder/list',
    access: 'public',
    summary: '用户的文辑，按主人的次序；他人只看到公开的。没有给出 user_id 时为当前用户',
    input: z.object({ user_id: z.optional(count) }),
    output: listResponse('folder', favoriteFolder),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/favorite/folder',
    access: 'user',
    summary: '修改自己的文辑；没有给出的字段不变',
    input: z.object({ id, ...z.partial(z.object(fields)).shape }),
    output: emptyObject,
    ignored: readOnly,
  }),
  arrange: endpoint({
    method: 'PUT',
    path: '/favorite/folder/order',
    access: 'user',
    summary: '排列自己的文辑：按给出的次序，没有给出的在其后',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/favorite/folder',
    access: 'user',
    summary: '删除自己的文辑；其中的收藏保留，不再归入文辑',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
};

export const folderErrors = defineErrors('favorite-folder', {
  notFound: [404, '文辑不存在或没有公开'],
  exists: [409, '已有同名的文辑'],
  tooMany: [409, `最多 ${MAX_FOLDERS} 个文辑`],
});
