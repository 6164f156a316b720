import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, id, listInput, listResponse, nullableTime, time } from '#platform/contract/shapes.ts';

/** kept: no mail server is configured, so the mail stays in the outbox. */
export const mailStatuses = {
  pending: '待发送',
  sent: '已发送',
  failed: '发送失败',
  kept: '未寄出',
} as const;
export type MailStatus = keyof typeof mailStatuses;

const mail = z.object({
  id: count,
  to: z.string(),
  subject: z.string(),
  status: z.enum(['pending', 'sent', 'failed', 'kept']),
  error: z.string(),
  created_at: time,
  sent_at: nullableTime,
});
export type Mail = z.infer<typeof mail>;

export const mailApi = {
  list: endpoint({
    method: 'GET',
    path: '/mail/list',
    access: 'permission:MailAPI/ListMail',
    summary: '发件箱',
    input: z.object({
      ...listInput,
      status: z.optional(z.array(z.enum(['pending', 'sent', 'failed', 'kept']))),
    }),
    output: listResponse('mail', mail),
  }),
  get: endpoint({
    method: 'GET',
    path: '/mail',
    access: 'permission:MailAPI/ListMail',
    summary: '查看一封邮件',
    input: z.object({ id }),
    output: z.extend(mail, { text: z.string() }),
  }),
};
