import { and, desc, eq, gte, inArray, lte } from 'drizzle-orm';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { containsWords, countRows, orderByTerms, toLimitAndOffset } from '#platform/server/db/list-query.ts';
import type { auditApi } from './audit.contract.ts';
import { auditLogs } from './audit.table.ts';
import { type AuditLabels, labelAuditChanges } from './label-audit-changes.ts';
import { type AuditValues, changedValues, maskAndShorten } from './mask-audit-values.ts';

type Entry = {
  /** The action, named like its permission: 更新文档分类. */
  action: string;
  /** The object of the action: 分类 12 教育. */
  target: string;
  before?: AuditValues | null;
  after?: AuditValues | null;
  /** Keys besides DEFAULT_SECRET_KEYS whose values are masked. */
  secrets?: readonly string[];
};

/** Records an administrative action in its transaction. Of `before` and `after` only different values are stored. */
export async function recordAudit(ctx: Context, entry: Entry): Promise<void> {
  const { action, target, secrets = [] } = entry;
  const { before = null, after = null } =
    entry.before && entry.after ? changedValues(entry.before, entry.after) : entry;
  await ctx.db.insert(auditLogs).values({
    user_id: ctx.user?.id ?? 0,
    username: ctx.user?.username ?? '命令行',
    action,
    target,
    before: before && maskAndShorten(before, secrets),
    after: after && maskAndShorten(after, secrets),
    ip: ctx.client.ip,
    created_at: ctx.now().toISOString(),
  });
}

const MAX_NAMED_TARGETS = 20;
type Target = { id: number; name?: string };
const targetName = ({ id, name }: Target) => (name ? `${id} ${name}` : String(id));

/** `分类 12 教育`, or the first of many: `分类 12 教育、13 法律 等 40 个`. */
export function auditTarget(kind: string, targets: Target[]): string {
  const names = targets.slice(0, MAX_NAMED_TARGETS).map(targetName).join('、');
  const suffix = targets.length > MAX_NAMED_TARGETS ? ` 等 ${targets.length} 个` : '';
  return `${kind} ${names}${suffix}`.trim();
}

/** Records a deletion of these ids; `rows` are the existing ones with their lost values. */
export async function recordRemoval(
  ctx: Context,
  { action, kind, ids }: { action: string; kind: string; ids: number[] },
  rows: (Target & { values: AuditValues })[],
): Promise<void> {
  const [first, ...otherRows] = rows;
  const before =
    first && otherRows.length === 0
      ? first.values
      : Object.fromEntries(rows.map((row) => [targetName(row), row.values]));
  const targets = [...new Set(ids)].map((id) => rows.find((row) => row.id === id) ?? { id });
  await recordAudit(ctx, { action, target: auditTarget(kind, targets), before });
}

const parseTime = (text: string): string => {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw httpErrors.invalidInput('时间不正确');
  return time.toISOString();
};

const { id, user_id, username, action, created_at } = auditLogs;
const orderColumns = { id, user_id, username, action, created_at };

export const listAudit = (labels: AuditLabels) => async (ctx: Context, input: ParsedInputOf<typeof auditApi.list>) => {
  const order = orderByTerms(input, orderColumns, [desc(id)]);
  const [from, to] = input.created_at ?? [];
  const condition = and(
    containsWords([username, action, auditLogs.target], input.wd),
    input.user_id && inArray(user_id, input.user_id),
    input.action && inArray(action, input.action),
    from ? gte(created_at, parseTime(from)) : undefined,
    to ? lte(created_at, parseTime(to)) : undefined,
  );
  const { limit = input.size, offset } = toLimitAndOffset(input);
  const rows = await ctx.db
    .select()
    .from(auditLogs)
    .where(condition)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return {
    total: await countRows(ctx.db, auditLogs, condition),
    audit: rows.map((row) => ({ ...row, changes: labelAuditChanges(row, labels) })),
  };
};

export async function lastAuditTime(ctx: Context, actionTitle: string): Promise<string | null> {
  const [row] = await ctx.db
    .select({ created_at })
    .from(auditLogs)
    .where(eq(action, actionTitle))
    .orderBy(desc(id))
    .limit(1);
  return row?.created_at ?? null;
}
