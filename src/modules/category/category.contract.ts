import * as z from 'zod/mini';
import { inheritableWatermarkMode } from '#modules/settings/watermark-mode.contract.ts';
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

const category = z.object({
  id: count,
  /** 0 for a top-level category. */
  parent_id: count,
  title: z.string(),
  cover: z.string(),
  icon: z.string(),
  description: z.string(),
  doc_count: count,
  /** Categories with a larger value come first. */
  sort: count,
  /** Administrators see the stored value; for visitors a disabled parent disables all categories below it. */
  enable: z.boolean(),
  /** Whether the text of scanned pages is recognized, here and in the categories below. */
  enable_ocr: z.boolean(),
  /** Whether pages of its documents show who reads them. */
  watermark: inheritableWatermarkMode,
  created_at: time,
  updated_at: time,
});
export type Category = z.infer<typeof category>;

/** Fields that the public site requests, as the specification lists them. */
export const CATEGORY_FIELDS = ['id', 'title', 'parent_id', 'cover', 'doc_count', 'enable'];

const MAX_LINES = 64 * 200;
const readOnly = ['doc_count', 'created_at', 'updated_at', 'children', 'type'] as const;
const fields = {
  parent_id: nonNegativeInt,
  cover: text(255, '封面'),
  icon: text(255, '图标'),
  description: text(2000, '描述'),
  sort: nonNegativeInt,
  enable: z.boolean(),
  enable_ocr: z.boolean(),
  watermark: inheritableWatermarkMode,
};
/** Defaults of a new category; an update leaves fields unchanged that are not sent. */
const initial = {
  parent_id: z._default(fields.parent_id, 0),
  cover: z._default(fields.cover, ''),
  icon: z._default(fields.icon, ''),
  description: z._default(fields.description, ''),
  sort: z._default(fields.sort, 0),
  enable: z._default(fields.enable, true),
  enable_ocr: z._default(fields.enable_ocr, true),
  watermark: z._default(fields.watermark, 'inherit'),
};

export const categoryApi = {
  list: endpoint({
    method: 'GET',
    path: '/category/list',
    access: 'public',
    summary: '分类列表',
    input: z.object({
      ...optionallyPagedListInput,
      parent_id: z.optional(z.array(nonNegativeInt)),
      enable: z.optional(z.array(z.boolean())),
    }),
    output: listResponse('category', category),
  }),
  get: endpoint({
    method: 'GET',
    path: '/category',
    access: 'permission:CategoryAPI/GetCategory',
    summary: '根据ID查询分类',
    input: z.object({ id }),
    output: category,
  }),
  create: endpoint({
    method: 'POST',
    path: '/category',
    access: 'permission:CategoryAPI/CreateCategory',
    summary: '新增分类，title 一行一个，同级重名的跳过',
    input: z.object({ ...initial, title: requiredText(MAX_LINES, '请输入名称') }),
    output: emptyObject,
    ignored: [...readOnly, 'id'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/category',
    access: 'permission:CategoryAPI/UpdateCategory',
    summary: '更新分类；没有给出的字段不变',
    input: z.object({
      ...z.partial(z.object(fields)).shape,
      id,
      title: z.optional(requiredText(64, '请输入名称')),
    }),
    output: emptyObject,
    ignored: readOnly,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/category',
    access: 'permission:CategoryAPI/DeleteCategory',
    summary: '删除分类及其子分类',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
};

export const categoryErrors = defineErrors('category', {
  notFound: [404, '分类不存在'],
  parentNotFound: [400, '上级分类不存在'],
  cycle: [400, '不能把分类移动到它自己或它的下级分类中'],
  tooDeep: [400, '分类最多 8 级'],
  exists: [409, '分类名称已存在'],
  hasDocuments: [409, '分类下还有文档，不能删除'],
  foreignPicture: [400, '封面和图标需要先上传到本站'],
  titleTooLong: [400, '名称不能超过 64 个字符'],
});
