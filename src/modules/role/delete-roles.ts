import { asc, inArray } from 'drizzle-orm';
import { recordRemoval } from '#modules/audit/audit.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { lockRoleChanges } from './authority.ts';
import { roleErrors } from './role.contract.ts';
import { roles, userRoles } from './role.table.ts';

/** Deletes all of the roles, or none when one is the default or has users. */
export async function deleteRoles(ctx: Context, { id: ids }: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    await lockRoleChanges(ctx);
    // The lock keeps other transactions from assigning the roles between the check and the deletion.
    const rows = await ctx.db.select().from(roles).where(inArray(roles.id, ids)).orderBy(asc(roles.id)).for('update');
    const [user] = await ctx.db
      .select({ id: userRoles.user_id })
      .from(userRoles)
      .where(inArray(userRoles.role_id, ids))
      .limit(1);
    if (user || rows.some(({ is_default, is_super }) => is_default || is_super)) throw roleErrors.inUse();
    await ctx.db.delete(roles).where(inArray(roles.id, ids));
    const removal = { action: '删除角色', kind: '角色', ids };
    await recordRemoval(
      ctx,
      removal,
      rows.map((row) => ({ id: row.id, name: row.title, values: row })),
    );
  });
  return {};
}
