import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import {
  count,
  emptyObject,
  id,
  ids,
  listInput,
  listResponse,
  nonNegativeInt,
  requiredText,
  text,
  time,
} from '#platform/contract/shapes.ts';

export const bannerTypes = { 0: '网站', 1: '小程序', 2: 'APP' } as const;
const bannerType = z.literal([0, 1, 2], '横幅类型不正确');

const banner = z.object({
  id: count,
  title: z.string(),
  description: z.string(),
  /** Path of the picture. */
  path: z.string(),
  /** Target of a click; empty for none. */
  url: z.string(),
  sort: count,
  enable: z.boolean(),
  type: count,
  created_at: time,
  updated_at: time,
});
export type Banner = z.infer<typeof banner>;

const fields = {
  title: text(255, '名称'),
  description: text(255, '描述'),
  path: requiredText(255, '请上传横幅图片'),
  url: z
    .string('链接不正确')
    .check(
      z.trim(),
      z.maxLength(255, '链接不能超过 255 个字符'),
      z.regex(/^$|^https?:\/\/\S+$|^\/(?![/\\])\S*$/i, '链接应以 http://、https:// 或 / 开头'),
    ),
  sort: nonNegativeInt,
  enable: z.boolean(),
  type: bannerType,
};

export const bannerApi = {
  list: endpoint({
    method: 'GET',
    path: '/banner/list',
    access: 'public',
    summary: '横幅列表',
    input: z.object({
      ...listInput,
      type: z.optional(z.array(bannerType)),
      enable: z.optional(z.array(z.boolean())),
    }),
    output: listResponse('banner', banner),
  }),
  get: endpoint({
    method: 'GET',
    path: '/banner',
    access: 'permission:BannerAPI/GetBanner',
    summary: '根据ID查询横幅',
    input: z.object({ id }),
    output: banner,
  }),
  create: endpoint({
    method: 'POST',
    path: '/banner',
    access: 'permission:BannerAPI/CreateBanner',
    summary: '创建横幅',
    input: z.object({
      title: z._default(fields.title, ''),
      description: z._default(fields.description, ''),
      path: fields.path,
      url: z._default(fields.url, ''),
      sort: z._default(fields.sort, 0),
      enable: z._default(fields.enable, true),
      type: z._default(fields.type, 0),
    }),
    output: banner,
    ignored: ['id', 'created_at', 'updated_at'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/banner',
    access: 'permission:BannerAPI/UpdateBanner',
    summary: '更新横幅；没有给出的字段不变',
    input: z.object({ ...z.partial(z.object(fields)).shape, id }),
    output: emptyObject,
    ignored: ['created_at', 'updated_at'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/banner',
    access: 'permission:BannerAPI/DeleteBanner',
    summary: '删除横幅',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
};

export const bannerErrors = defineErrors('banner', {
  notFound: [404, '横幅不存在'],
  foreignPicture: [400, '横幅图片需要先上传到本站'],
});
