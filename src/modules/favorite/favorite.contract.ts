import * as z from 'zod/mini';
import { documentRow } from '#modules/document/document.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, emptyObject, id, ids, listInput, listResponse, nullableTime } from '#platform/contract/shapes.ts';

export const FAVORITES_PAGE_SIZE = 15;

/** 0 means no folder. */
const folderId = z.int('文辑不正确').check(z.gte(0, '文辑不正确'));
/** Only documents can be favorites; newer clients of moredoc send this type. */
const type = z.optional(z.literal(0, '只能收藏文档'));

const favorite = z.object({
  /** 0 when there is no favorite. */
  id: count,
  user_id: count,
  document_id: count,
  folder_id: count,
  created_at: nullableTime,
});

const favoriteItem = z.extend(favorite, {
  /** Title of the document; empty when the caller may no longer see it. */
  title: z.string(),
  ext: z.string(),
  score: count,
  size: count,
  pages: count,
  document_uuid: z.string(),
  document: z.optional(documentRow),
});
export type FavoriteItem = z.infer<typeof favoriteItem>;

const { page, size, field } = listInput;

export const favoriteApi = {
  create: endpoint({
    method: 'POST',
    path: '/favorite',
    access: 'user',
    summary: '收藏文档，可同时放入自己的文辑',
    input: z.object({ document_id: id, folder_id: z.optional(folderId), type }),
    output: favorite,
  }),
  get: endpoint({
    method: 'GET',
    path: '/favorite',
    access: 'user',
    summary: '当前用户对一篇文档的收藏；没有收藏时 id 为 0',
    input: z.object({ document_id: id, type }),
    output: favorite,
  }),
  list: endpoint({
    method: 'GET',
    path: '/favorite/list',
    access: 'public',
    summary: '用户的收藏，新的在前；给出文辑时按其次序。没有给出 user_id 时为当前用户',
    input: z.object({
      page,
      size,
      field,
      type,
      user_id: z.optional(folderId),
      /** 0 selects favorites without a folder. */
      folder_id: z.optional(folderId),
    }),
    output: listResponse('favorite', favoriteItem),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/favorite',
    access: 'user',
    summary: '把自己的收藏放入文辑；folder_id 为 0 则移出',
    input: z.object({ id: ids, folder_id: folderId }),
    output: emptyObject,
  }),
  arrange: endpoint({
    method: 'PUT',
    path: '/favorite/order',
    access: 'user',
    summary: '把一条收藏移到其文辑的第几位，从 1 数起',
    input: z.object({ id, position: z.int('位置不正确').check(z.gte(1, '位置不正确')) }),
    output: emptyObject,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/favorite',
    access: 'user',
    summary: '取消收藏：全部取消，或一条也不',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
};

export const favoriteErrors = defineErrors('favorite', {
  exists: [409, '您已经收藏过了'],
  notFound: [404, '收藏不存在'],
  hidden: [403, '这位用户没有公开收藏'],
  notInFolder: [400, '这条收藏不在文辑里'],
  folderFull: [409, '文辑已满，最多放 1000 篇文档'],
});
