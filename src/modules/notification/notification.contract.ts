import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, emptyObject, ids, listInput, listResponse, time } from '#platform/contract/shapes.ts';

/** Kinds of notifications, and whether they are mailed by default. */
export const notificationKinds = {
  comment: { title: '我的文档收到评论', mail: true },
  reply: { title: '我的评论收到回复', mail: true },
  mention: { title: '有人提到我', mail: true },
  favorite: { title: '我的文档被收藏', mail: false },
  follow: { title: '有人关注我', mail: false },
  review: { title: '文档和评论的审核结果', mail: true },
  report: { title: '举报的处理结果', mail: true },
} as const;
export type NotificationKind = keyof typeof notificationKinds;
export const notificationKindNames = Object.keys(notificationKinds) as [NotificationKind];
const kind = z.enum(notificationKindNames, '消息类型不正确');

const notification = z.object({
  id: count,
  kind,
  /** Plain text. */
  content: z.string(),
  /** Path of the subject within the site. */
  link: z.string(),
  /** The acting user; id 0 for the site. */
  actor: z.object({ id: count, username: z.string(), avatar: z.string() }),
  is_read: z.boolean(),
  created_at: time,
});
export type Notification = z.infer<typeof notification>;

const setting = z.object({ kind, title: z.string(), site: z.boolean(), mail: z.boolean() });
export type NotificationSetting = z.infer<typeof setting>;

const { page, size, field } = listInput;

export const notificationApi = {
  list: endpoint({
    method: 'GET',
    path: '/notification/list',
    access: 'user',
    summary: '当前用户的消息，新的在前',
    input: z.object({
      page,
      size,
      field,
      kind: z.optional(z.array(kind)),
      is_read: z.optional(z.boolean()),
    }),
    output: listResponse('notification', notification),
  }),
  unread: endpoint({
    method: 'GET',
    path: '/notification/unread',
    access: 'user',
    summary: '未读消息的条数，最多数到 1000',
    input: emptyObject,
    output: z.object({ unread: count }),
  }),
  read: endpoint({
    method: 'PUT',
    path: '/notification/read',
    access: 'user',
    summary: '标为已读：给出 id，或以 all=true 全部标为已读',
    input: z.object({ id: z.optional(ids), all: z._default(z.boolean(), false) }),
    output: emptyObject,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/notification',
    access: 'user',
    summary: '删除自己的消息：全部删除，或一条也不',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
  settings: endpoint({
    method: 'GET',
    path: '/notification/setting',
    access: 'user',
    summary: '当前用户要收到哪些消息，哪些也寄邮件',
    input: emptyObject,
    output: z.object({ setting: z.array(setting) }),
  }),
  updateSetting: endpoint({
    method: 'PUT',
    path: '/notification/setting',
    access: 'user',
    summary: '设置一类消息：site 站内，mail 邮件摘要；没有给出的不变',
    input: z.object({ kind, site: z.optional(z.boolean()), mail: z.optional(z.boolean()) }),
    output: emptyObject,
  }),
};
