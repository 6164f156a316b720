import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, listInput, listResponse, text, time } from '#platform/contract/shapes.ts';

/** Displayed for an empty value. */
export const EMPTY_VALUE = '（空）';

/** One changed field with readable values; null when the field did not exist before or after. */
const auditChange = z.object({
  field: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type AuditChange = z.infer<typeof auditChange>;

const auditEntry = z.object({
  id: count,
  user_id: count,
  username: z.string(),
  /** Title of the action, for example 更新分类. */
  action: z.string(),
  /** Object of the action, for example 分类 12 教育. */
  target: z.string(),
  /** Changed values; secrets are masked. */
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  changes: z.array(auditChange),
  ip: z.string(),
  created_at: time,
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditApi = {
  list: endpoint({
    method: 'GET',
    path: '/audit/list',
    access: 'permission:AuditAPI/ListAudit',
    summary: '操作记录',
    input: z.object({
      ...listInput,
      user_id: z.optional(z.array(count)),
      action: z.optional(z.array(text(64))),
      /** One or two times: from, or from and to. */
      created_at: z.optional(z.array(text(40))),
    }),
    output: listResponse('audit', auditEntry),
  }),
};
