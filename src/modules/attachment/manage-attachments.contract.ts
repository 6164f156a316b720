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
  requiredText,
  text,
  time,
} from '#platform/contract/shapes.ts';
import { attachment } from './attachment.contract.ts';

const managedAttachment = z.extend(attachment, {
  ip: z.string(),
  description: z.string(),
  updated_at: time,
  /** Empty after the account was deleted. */
  username: z.string(),
  type_name: z.string(),
});
export type ManagedAttachment = z.infer<typeof managedAttachment>;

export const attachmentApi = {
  list: endpoint({
    method: 'GET',
    path: '/attachment/list',
    access: 'permission:AttachmentAPI/ListAttachment',
    summary: '附件列表，wd 在名称和备注中查找',
    input: z.object({
      ...listInput,
      enable: z.optional(z.array(z.boolean())),
      user_id: z.optional(z.array(id)),
      type: z.optional(z.array(count)),
      ext: z.optional(text(32, '扩展名')),
    }),
    output: listResponse('attachment', managedAttachment),
  }),
  get: endpoint({
    method: 'GET',
    path: '/attachment',
    access: 'permission:AttachmentAPI/GetAttachment',
    summary: '根据ID查询附件',
    input: z.object({ id }),
    output: managedAttachment,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/attachment',
    access: 'permission:AttachmentAPI/UpdateAttachment',
    summary: '修改附件；enable 为 false 时内容相同的文件从此不能上传，使用它的文档被禁用',
    input: z.object({
      id,
      name: z.optional(requiredText(255, '请输入附件名称')),
      enable: z.optional(z.boolean()),
      description: z.optional(text(255, '备注')),
    }),
    output: emptyObject,
    ignored: [
      ...(['hash', 'user_id', 'type', 'type_id', 'path', 'size', 'width', 'height'] as const),
      ...(['ext', 'ip', 'created_at', 'updated_at', 'username', 'type_name'] as const),
    ],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/attachment',
    access: 'permission:AttachmentAPI/DeleteAttachment',
    summary: '删除没有被使用的附件；全部删除，或一个也不',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
};

export const attachmentErrors = defineErrors('attachment', {
  notFound: [404, '附件不存在'],
  inUse: [409, '附件正在使用中，随使用它的内容一起删除'],
  banned: [409, '附件已被标记为非法，删除后无法继续拦截，请先改为合法'],
});
