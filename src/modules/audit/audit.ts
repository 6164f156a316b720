import { and, count, desc, gte, inArray, lte } from 'drizzle-orm';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { contains, pageRange } from '#platform/server/lists.ts';
import type { auditApi } from './audit.contract.ts';
import { auditLogs } from './audit.table.ts';

type Values = Record<string, unknown>;
/** Written as changed, never with their value. */
const secrets = ['password', 'password_hash', 'new_password', 'old_password', 'secret', 'token'];
/** Columns that change with every write and tell nothing. */
const dull = ['updated_at', 'created_at'];

const shown = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([key, value]) => !dull.includes(key) && value !== undefined)
      .map(([key, value]) => [key, secrets.includes(key) ? '******' : value]),
  );

/** Only what differs, so that a reader sees the change and not the row. */
function difference(before: Values, after: Values): { before: Values; after: Values } {
  const keys = Object.keys(after).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const pick = (values: Values) =>
    Object.fromEntries(keys.map((key) => [key, values[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** Notes an administrative action, in the transaction that does it. */
export async function recordAudit(
  ctx: Context,
  entry: { action: string; target: string; before?: Values | null; after?: Values | null },
): Promise<void> {
  const both = entry.before && entry.after;
  const { before, after } = both
    ? difference(shown(entry.before ?? {}), shown(entry.after ?? {}))
    : { before: entry.before && shown(entry.before), after: entry.after && shown(entry.after) };
  await ctx.db.insert(auditLogs).values({
    user_id: ctx.user?.id ?? 0,
    username: ctx.user?.username ?? '命令行',
    action: entry.action,
    target: entry.target,
    before: before ?? null,
    after: after ?? null,
    ip: ctx.client.ip,
    created_at: ctx.now().toISOString(),
  });
}

const timeOf = (text: string): string => {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw httpErrors.invalidInput('时间不正确');
  return time.toISOString();
};

export async function listAudit(ctx: Context, input: ParsedInputOf<typeof auditApi.list>) {
  const [from, to] = input.created_at ?? [];
  const condition = and(
    contains([auditLogs.username, auditLogs.action, auditLogs.target], input.wd),
    input.user_id && inArray(auditLogs.user_id, input.user_id),
    input.action && inArray(auditLogs.action, input.action),
    from ? gte(auditLogs.created_at, timeOf(from)) : undefined,
    to ? lte(auditLogs.created_at, timeOf(to)) : undefined,
  );
  const { limit = 10, offset } = pageRange(input);
  const rows = await ctx.db
    .select()
    .from(auditLogs)
    .where(condition)
    .orderBy(desc(auditLogs.id))
    .limit(limit)
    .offset(offset);
  const [total] = await ctx.db.select({ count: count() }).from(auditLogs).where(condition);
  return { total: total?.count ?? 0, audit: rows };
}
