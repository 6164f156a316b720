import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, emptyObject, id, requiredText, time } from '#platform/contract/shapes.ts';

/** Upper limit of the setting, which is enforced while the bytes arrive. */
const MAX_UPLOAD_BYTES = 10_240 * 1024 * 1024;
const MAX_FILE_NAME_LENGTH = 255;

/** Path of resumable uploads (tus 1.0), below /api/v1. */
export const TUS_PATH = '/upload/resumable';

const name = requiredText(MAX_FILE_NAME_LENGTH, '请选择要上传的文件');
const hash = z.string('内容摘要不正确').check(z.regex(/^[0-9a-f]{64}$/, '内容摘要不正确'));
const token = z.string('编号不正确').check(z.regex(/^[0-9a-f]{32}$/, '编号不正确'));

export const uploadApi = {
  document: endpoint({
    method: 'POST',
    path: '/upload/document',
    access: 'user',
    summary: '上传文档文件，得到附件编号，再用它创建文档',
    input: emptyObject,
    upload: { maxBytes: MAX_UPLOAD_BYTES },
    output: z.object({ code: count, message: z.string(), data: z.object({ id: count }) }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/upload/document',
    access: 'user',
    summary: '删除自己上传后还没有创建文档的文件',
    input: z.object({ id }),
    output: emptyObject,
  }),
  /** 秒传: checks whether the file must be sent. */
  check: endpoint({
    method: 'POST',
    path: '/upload/check',
    access: 'user',
    summary: '上传前按内容摘要询问：站内已有同样的文件时不必再传',
    input: z.object({ name, hash, size: z.int('文件大小不正确').check(z.gte(1, '文件是空的')) }),
    output: z.object({
      /** Proof of possession to give instead of sending the file; null when the file must be sent. */
      challenge: z.nullable(z.object({ id: z.string(), nonce: z.string(), ranges: z.array(z.tuple([count, count])) })),
    }),
  }),
  instant: endpoint({
    method: 'POST',
    path: '/upload/instant',
    access: 'user',
    summary: '以文件片段的摘要证明持有该文件，得到附件编号',
    input: z.object({ id: token, proof: hash }),
    output: z.object({ id: count }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/upload/list',
    access: 'user',
    summary: '自己未完成的上传',
    input: emptyObject,
    output: z.object({
      upload: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          size: count,
          received: count,
          attachment_id: z.nullable(id),
          created_at: time,
        }),
      ),
    }),
  }),
};

export const uploadErrors = defineErrors('upload', {
  mayNotUpload: [403, '您没有上传文档的权限'],
  tooLarge: [413, '文件过大'],
  notAllowed: [415, '不支持的文档类型'],
  notFound: [404, '上传已过期，请重新上传'],
  wrongOffset: [409, '上传的位置不对，请从中断处继续'],
  locked: [423, '这个文件的另一部分正在上传，请稍后重试'],
  broken: [400, '文件没有传完，请重新上传'],
  tooMany: [429, '未完成的上传过多，请先完成或取消一些'],
  quotaReached: [413, '未完成的上传已达到上限'],
  wrongProof: [422, '文件校验没有通过，请直接上传'],
  wrongVersion: [412, '上传协议的版本不受支持，请使用 tus 1.0.0'],
  wrongChecksum: [460, '文件在传送中损坏，请重新上传这一部分'],
  unsupportedChecksum: [400, '不支持的校验算法'],
  storageFailed: [503, '存储暂时不可用，请稍后重试'],
});
