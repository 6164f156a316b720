import { eq, sql } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { holdsPermissionsOfRoles, lockRoleChanges } from './authority.ts';
import { clearDefaultRole, throwDuplicateTitle } from './create-role.ts';
import { type roleApi, roleErrors } from './role.contract.ts';
import { roles } from './role.table.ts';
import { lockRole, ROLES_CACHE_KEY } from './role.ts';

export async function updateRole(ctx: UserContext, { id, ...change }: ParsedInputOf<typeof roleApi.update>) {
  await inTransaction(ctx, async (ctx) => {
    await lockRoleChanges(ctx);
    const before = await lockRole(ctx, id);
    if (before.is_default && change.is_default === false) throw roleErrors.noDefault();
    if (!before.is_default && change.is_default) {
      await assertCanBeDefault(ctx, before);
      await clearDefaultRole(ctx);
    }
    const [after] = await ctx.db
      .update(roles)
      .set({ ...change, updated_at: sql`now()` })
      .where(eq(roles.id, id))
      .returning();
    const target = auditTarget('角色', [{ id, name: before.title }]);
    await recordAudit(ctx, { action: '更新角色', target, before, after });
    await notifyInvalidation(ctx.db, ROLES_CACHE_KEY);
  }).catch(throwDuplicateTitle);
  return {};
}

/** Every new user gets the permissions of the default role, so callers must hold them. */
async function assertCanBeDefault(ctx: UserContext, role: { id: number; is_super: boolean }): Promise<void> {
  if (role.is_super) throw roleErrors.superRole('超级管理员不能作为默认角色');
  if (!(await holdsPermissionsOfRoles(ctx, [role.id]))) throw roleErrors.beyondOwn();
}
