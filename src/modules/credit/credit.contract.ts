import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, id, listInput, listResponse, requiredText, time } from '#platform/contract/shapes.ts';

/** Reasons of credit movements, with the label for the side that gains and the side that pays. */
export const creditReasons = {
  register: { gained: '注册奖励', paid: '注册奖励' },
  sign_in: { gained: '签到奖励', paid: '签到奖励' },
  upload_document: { gained: '上传文档奖励', paid: '上传文档奖励' },
  document_collected: { gained: '文档被收藏奖励', paid: '文档被收藏奖励' },
  document_commented: { gained: '文档被评论奖励', paid: '文档被评论奖励' },
  download_document: { gained: '文档被购买', paid: '购买文档' },
  delete_document: { gained: '恢复文档退还', paid: '删除文档扣除' },
  adjustment: { gained: '管理员增加', paid: '管理员扣除' },
  account_closed: { gained: '账号注销', paid: '账号注销' },
} as const;
export type CreditReason = keyof typeof creditReasons;

export const MAX_ADJUSTMENT = 1_000_000;

const creditMovement = z.object({
  id: count,
  /** Positive when gained, negative when paid. */
  amount: count,
  /** Balance after the movement. */
  balance: count,
  reason: z.string(),
  reason_label: z.string(),
  reference: z.string(),
  note: z.string(),
  created_at: time,
});
export type CreditMovement = z.infer<typeof creditMovement>;

const { page, size, field } = listInput;

export const creditApi = {
  list: endpoint({
    method: 'GET',
    path: '/user/credit',
    access: 'user',
    summary: '当前用户的积分明细，新的在前',
    input: z.object({ page, size, field }),
    output: listResponse('credit', creditMovement),
  }),
  adjust: endpoint({
    method: 'POST',
    path: '/user/credit',
    access: 'permission:UserAPI/AdjustCredit',
    summary: '增加或扣除用户的积分；同一个 key 只生效一次',
    input: z.object({
      user_id: id,
      amount: z.int('请输入整数').check(
        z.gte(-MAX_ADJUSTMENT, `每次最多扣除 ${MAX_ADJUSTMENT}`),
        z.lte(MAX_ADJUSTMENT, `每次最多增加 ${MAX_ADJUSTMENT}`),
        z.refine((amount) => amount !== 0, '数量不能为 0'),
      ),
      /** Shown to the user. */
      note: requiredText(255, '请输入原因'),
      /** Chosen by the client for each intended change, so that a repeated request has no further effect. */
      key: z.optional(z.string('操作编号不正确').check(z.regex(/^[\w.:-]{8,64}$/, '操作编号不正确'))),
    }),
    output: z.object({ id: count, balance: count }),
  }),
};

export const creditErrors = defineErrors('credit', {
  insufficient: [403, '余额不足'],
  keyReused: [409, '这个操作编号已用于另一次调整'],
});
