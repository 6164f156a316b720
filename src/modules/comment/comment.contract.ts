import * as z from 'zod/mini';
import { captchaFields } from '#modules/captcha/captcha.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import {
  count,
  emptyObject,
  id,
  ids,
  listResponse,
  optionallyPagedListInput,
  requiredText,
  text,
  time,
  zeroOrId,
} from '#platform/contract/shapes.ts';

export const commentStatuses = { 0: '待审核', 1: '审核通过', 2: '审核拒绝' } as const;
export type CommentStatus = keyof typeof commentStatuses;
export const MAX_COMMENT_LENGTH = 1000;
/** Replies that a list returns with each top-level comment (`with_reply`). */
export const REPLIES_PER_COMMENT = 3;

const person = z.object({ id: count, username: z.string(), avatar: z.string() });
const mention = z.object({ id: count, username: z.string() });
export type Mention = z.infer<typeof mention>;

const comment = z.object({
  id: count,
  document_id: count,
  user_id: count,
  /** The comment that it replies to; 0 for a top-level comment. */
  parent_id: count,
  /** The top-level comment of its thread; 0 for a top-level comment. */
  root_id: count,
  /** Plain text; empty for a deleted comment that still has replies. */
  content: z.string(),
  /** Users mentioned with @. */
  mention: z.array(mention),
  status: count,
  /** Visible to its author and to comment managers. */
  reject_reason: z.string(),
  /** Number of replies in the thread of a top-level comment. */
  comment_count: count,
  is_edited: z.boolean(),
  is_deleted: z.boolean(),
  /** Whether the caller may still edit the text. */
  is_editable: z.boolean(),
  created_at: time,
  updated_at: time,
  user: person,
  /** Author of the comment that it replies to; id 0 for replies to the top-level comment. */
  reply_to: mention,
  /** Filled in the responses of `list` and `get`. */
  document_title: z.string(),
  document_uuid: z.string(),
});
const commentItem = z.extend(comment, { reply: z.array(comment) });
export type Comment = z.infer<typeof comment>;
export type CommentItem = z.infer<typeof commentItem>;

const content = requiredText(MAX_COMMENT_LENGTH, '请输入评论内容');
const status = z.literal([0, 1, 2], '状态不正确');
/** Only documents have comments; newer clients of moredoc send this type. */
const type = z.literal(0, '只能评论文档');

const readOnly: string[] = [
  ...['document_id', 'user_id', 'parent_id', 'root_id', 'mention', 'reject_reason', 'user'],
  ...['comment_count', 'is_edited', 'is_deleted', 'is_editable', 'created_at', 'updated_at'],
  ...['reply_to', 'reply', 'document_title', 'document_uuid', 'type'],
];

export const commentApi = {
  create: endpoint({
    method: 'POST',
    path: '/comment',
    access: 'user',
    summary: '评论文档，或以 parent_id 回复一条评论；内容里的 @用户名 会通知对方',
    input: z.object({
      document_id: id,
      parent_id: z._default(zeroOrId, 0),
      content,
      type: z.optional(type),
      ...captchaFields,
    }),
    output: comment,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/comment',
    access: 'user',
    accessToOthers: 'permission:CommentAPI/UpdateComment',
    summary: '发表后几分钟内修改自己的评论；有权限者可修改内容和状态',
    input: z.object({ id, content: z.optional(content), status: z.optional(status) }),
    output: z.object({ status }),
    ignored: readOnly,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/comment',
    access: 'user',
    accessToOthers: 'permission:CommentAPI/DeleteComment',
    summary: '删除自己的评论，有权限者可删除他人的；全部删除，或一条也不',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
  get: endpoint({
    method: 'GET',
    path: '/comment',
    access: 'permission:CommentAPI/GetComment',
    summary: '按 id 查询评论',
    input: z.object({ id }),
    output: comment,
  }),
  list: endpoint({
    method: 'GET',
    path: '/comment/list',
    access: 'public',
    summary:
      '评论列表；只给出 document_id 而不分页时为该文档的全部评论（最新的 1000 条）；parent_id=0 只要对文档的评论，root_id 要一组对话，thread_of 要某条评论所在对话的第一条，with_reply 附上最早的几条回复',
    input: z.object({
      ...optionallyPagedListInput,
      status: z.optional(z.array(count)),
      document_id: z.optional(zeroOrId),
      user_id: z.optional(zeroOrId),
      parent_id: z.optional(z.array(zeroOrId)),
      root_id: z.optional(id),
      thread_of: z.optional(id),
      type: z.optional(z.array(count)),
      /** Accepted for older clients; lists always carry the title. */
      with_document_title: z.optional(z.boolean()),
      with_reply: z._default(z.boolean(), false),
    }),
    output: listResponse('comment', commentItem),
  }),
  check: endpoint({
    method: 'POST',
    path: '/comment/check',
    access: 'permission:CommentAPI/CheckComment',
    summary: '批量审核评论：1 通过，2 拒绝，0 变为待审；原因告诉作者',
    input: z.object({ id: ids, status, reason: z._default(text(255, '原因').check(z.trim()), '') }),
    output: emptyObject,
  }),
};

export const commentErrors = defineErrors('comment', {
  notFound: [404, '评论不存在'],
  notAllowed: [403, '您所在的角色不允许评论'],
  tooFast: [429, '您的评论太快了，请稍后再试'],
  sensitive: [400, '评论包含不适合发表的内容，请修改后再试'],
  notYours: [403, '评论不存在或没有权限'],
  tooLate: [403, '已超过可修改的时间'],
});
