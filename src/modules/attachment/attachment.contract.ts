import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, emptyObject, time } from '#platform/contract/shapes.ts';

export const attachmentTypes = {
  unknown: 0,
  avatar: 1,
  document: 2,
  article: 3,
  comment: 4,
  banner: 5,
  category: 6,
  config: 7,
} as const;
export const attachmentTypeNames: Record<AttachmentType, string> = {
  0: '未知',
  1: '头像',
  2: '文档',
  3: '文章',
  4: '评论',
  5: '横幅',
  6: '分类封面',
  7: '配置',
};
export type AttachmentType = (typeof attachmentTypes)[keyof typeof attachmentTypes];

export const attachment = z.object({
  id: count,
  /** SHA-256 of the stored bytes. */
  hash: z.string(),
  user_id: count,
  type: count,
  /** Id of the row that uses the file; 0 while unused. */
  type_id: count,
  enable: z.boolean(),
  path: z.string(),
  name: z.string(),
  size: count,
  width: count,
  height: count,
  ext: z.string(),
  created_at: time,
});

const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const imageUploadEndpoint = <const N extends string>(name: N, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/upload/${name}`,
    access: `permission:upload/${name}`,
    summary,
    input: emptyObject,
    upload: { maxBytes: MAX_IMAGE_BYTES },
    output: z.object({ code: count, message: z.string(), data: attachment }),
  });

const MAX_AVATAR_BYTES = 5 * 1024 * 1024;

export const imageUploadApi = {
  uploadAvatar: endpoint({
    method: 'POST',
    path: '/upload/avatar',
    access: 'user',
    summary: '上传自己的头像',
    input: emptyObject,
    upload: { maxBytes: MAX_AVATAR_BYTES },
    output: z.object({ code: count, message: z.string(), data: attachment }),
  }),
  uploadBanner: imageUploadEndpoint('banner', '上传横幅图片'),
  uploadCategory: imageUploadEndpoint('category', '上传分类封面'),
  uploadConfig: imageUploadEndpoint('config', '上传配置图片'),
  /** The response has the format that rich-text editors expect. */
  uploadArticle: endpoint({
    method: 'POST',
    path: '/upload/article',
    access: 'permission:upload/article',
    summary: '上传文章图片',
    input: emptyObject,
    upload: { maxBytes: MAX_IMAGE_BYTES },
    output: z.object({
      errno: count,
      data: z.object({ url: z.string(), alt: z.string() }),
    }),
  }),
};

export const fileErrors = defineErrors('file', {
  missing: [400, '请选择要上传的文件'],
  notImage: [422, '只支持 jpg、jpeg、png、gif、webp 格式的图片'],
  tooLarge: [413, '文件过大'],
  quotaReached: [413, '上传的文件已达到上限'],
  tooManyPixels: [422, '图片尺寸过大，像素总数不能超过 4000 万'],
  illegal: [422, '文件已被标记为非法文件，禁止上传'],
});
