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
  nullableTime,
  text,
  time,
} from '#platform/contract/shapes.ts';

export const reportReasons = {
  1: '垃圾广告',
  2: '淫秽色情',
  3: '虚假中奖',
  4: '敏感信息',
  5: '人身攻击',
  6: '骚扰他人',
} as const;
export type ReportReason = keyof typeof reportReasons;

export const reportActions = { 0: '不处理文档', 1: '禁用文档', 2: '删除文档' } as const;
export type ReportAction = keyof typeof reportActions;

const report = z.object({
  id: count,
  /** 0 when the document was erased. */
  document_id: count,
  document_title: z.string(),
  user_id: count,
  username: z.string(),
  reason: count,
  /** Details by the reporter. */
  content: z.string(),
  /** True when the report is handled. */
  status: z.boolean(),
  action: count,
  /** Reply of the handler to the reporter. */
  remark: z.string(),
  /** Name of the administrator who handled it; empty for an open report. */
  handler: z.string(),
  handled_at: nullableTime,
  created_at: time,
  updated_at: time,
});
export type Report = z.infer<typeof report>;

const reason = z.literal([1, 2, 3, 4, 5, 6], '请选择举报原因');
const remark = text(255, '答复').check(z.trim());

const readOnly: string[] = [
  ...['document_id', 'document_title', 'user_id', 'username', 'reason', 'content', 'action'],
  ...['handler', 'handled_at', 'created_at', 'updated_at'],
];

export const reportApi = {
  create: endpoint({
    method: 'POST',
    path: '/report',
    access: 'user',
    summary: '举报文档，每人每篇一次',
    input: z.object({
      document_id: id,
      reason,
      content: z._default(text(500, '补充说明').check(z.trim()), ''),
    }),
    output: emptyObject,
    ignored: ['document_title'],
  }),
  getMine: endpoint({
    method: 'GET',
    path: '/report',
    access: 'user',
    summary: '当前用户对一篇文档的举报；没有举报过时 id 为 0',
    input: z.object({ document_id: id }),
    output: z.object({ id: count, reason: count, status: z.boolean(), remark: z.string() }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/report/list',
    access: 'permission:ReportAPI/ListReport',
    summary: '举报列表；wd 按文档名称',
    input: z.object({
      ...listInput,
      status: z.optional(z.array(z.boolean())),
      reason: z.optional(z.array(count)),
      document_id: z.optional(z.array(id)),
    }),
    output: listResponse('report', report),
  }),
  handle: endpoint({
    method: 'PUT',
    path: '/report/handle',
    access: 'permission:ReportAPI/UpdateReport',
    summary: '处理举报：0 不处理文档，1 禁用文档，2 删除文档；对文档的处理使它的其它举报一并了结',
    input: z.object({
      id: ids,
      action: z.literal([0, 1, 2], '处理方式不正确'),
      remark: z._default(remark, ''),
    }),
    output: emptyObject,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/report',
    access: 'permission:ReportAPI/UpdateReport',
    summary: '修改举报的处理状态和答复；没有给出的不变',
    input: z.object({ id, status: z.optional(z.boolean()), remark: z.optional(remark) }),
    output: emptyObject,
    ignored: readOnly,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/report',
    access: 'permission:ReportAPI/DeleteReport',
    summary: '删除举报',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
};

export const reportErrors = defineErrors('report', {
  exists: [409, '您已举报过当前文档'],
  ownDocument: [400, '不能举报自己的文档'],
  notFound: [404, '举报不存在'],
  handled: [409, '举报已经处理过了'],
  mayNotDisable: [403, '您没有权限禁用文档'],
  mayNotDelete: [403, '您没有权限删除文档'],
});
