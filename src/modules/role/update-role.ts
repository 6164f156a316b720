import { eq, sql } from 'drizzle-orm';
import { recordAudit, targetOf } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { coversRoles, lockAccess } from './authority.ts';
import { clearDefault, throwTitleTaken } from './create-role.ts';
import { type roleApi, roleErrors } from './role.contract.ts';
import { roles } from './role.table.ts';
import { lockRole } from './role.ts';

export async function updateRole(ctx: UserContext, { id, ...change }: ParsedInputOf<typeof roleApi.update>) {
  await inTransaction(ctx, async (ctx) => {
    await lockAccess(ctx);
    const before = await lockRole(ctx, id);
    if (before.is_default && change.is_default === false) throw roleErrors.noDefault();
    if (!before.is_default && change.is_default) {
      await refuseAsDefault(ctx, before);
      await clearDefault(ctx);
    }
    const [after] = await ctx.db
      .update(roles)
      .set({ ...change, updated_at: sql`now()` })
      .where(eq(roles.id, id))
      .returning();
    const target = targetOf('角色', [{ id, name: before.title }]);
    await recordAudit(ctx, { action: '更新角色', target, before, after });
  }).catch(throwTitleTaken);
  return {};
}

/** What the default role may do, everybody who registers may do. */
async function refuseAsDefault(ctx: UserContext, role: { id: number; is_super: boolean }): Promise<void> {
  if (role.is_super) throw roleErrors.superRole('超级管理员不能作为默认角色');
  if (!(await coversRoles(ctx, [role.id]))) throw roleErrors.beyondOwn();
}
