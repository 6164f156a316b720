import { eq } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { isUniqueViolation } from '#platform/server/db/db.ts';
import { lockRoleChanges } from './authority.ts';
import { type Role, type roleApi, roleErrors } from './role.contract.ts';
import { roles } from './role.table.ts';
import { ROLES_CACHE_KEY } from './role.ts';

/** At most one role is the default, so the former one loses the flag first. */
export const clearDefaultRole = (ctx: Context) =>
  ctx.db.update(roles).set({ is_default: false }).where(eq(roles.is_default, true));

export function throwDuplicateTitle(error: unknown): never {
  if (isUniqueViolation(error, 'roles_title_key')) throw roleErrors.exists();
  throw error;
}

export const createRole = (ctx: Context, fields: ParsedInputOf<typeof roleApi.create>): Promise<Role> =>
  inTransaction(ctx, async (ctx) => {
    await lockRoleChanges(ctx);
    if (fields.is_default) await clearDefaultRole(ctx);
    const [row] = await ctx.db.insert(roles).values(fields).returning();
    if (!row) throw new Error('the insert returned no role');
    const target = auditTarget('角色', [{ id: row.id, name: row.title }]);
    await recordAudit(ctx, { action: '创建角色', target, after: fields });
    if (fields.is_default) await notifyInvalidation(ctx.db, ROLES_CACHE_KEY);
    return row;
  }).catch(throwDuplicateTitle);
