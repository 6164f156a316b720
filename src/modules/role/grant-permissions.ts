import { and, eq, inArray, notInArray } from 'drizzle-orm';
import { permissionName } from '#modules/account/permission-pages.contract.ts';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { holdsPermissions, lockRoleChanges } from './authority.ts';
import { type roleApi, roleErrors } from './role.contract.ts';
import { permissions, rolePermissions } from './role.table.ts';
import { lockRole, permissionIdsOfRole } from './role.ts';

/** The role has these permissions and no others. What the caller does not hold can neither be given nor taken. */
export async function grantPermissions(
  ctx: UserContext,
  { group_id, permission_id }: ParsedInputOf<typeof roleApi.grant>,
) {
  const wanted = [...new Set(permission_id.filter((id) => id > 0))];
  await inTransaction(ctx, async (ctx) => {
    await lockRoleChanges(ctx);
    const role = await lockRole(ctx, group_id);
    await assertPermissionsExist(ctx, wanted);
    const held = await permissionIdsOfRole(ctx, group_id);
    const added = wanted.filter((id) => !held.includes(id));
    const removed = held.filter((id) => !wanted.includes(id));
    if (role.is_super && removed.length > 0) throw roleErrors.superRole('超级管理员始终拥有全部权限');
    if (!(await holdsPermissions(ctx, [...added, ...removed]))) throw roleErrors.beyondOwn();
    await ctx.db
      .delete(rolePermissions)
      .where(and(eq(rolePermissions.role_id, group_id), notInArray(rolePermissions.permission_id, wanted)));
    if (added.length > 0)
      await ctx.db.insert(rolePermissions).values(added.map((id) => ({ role_id: group_id, permission_id: id })));
    const given = await permissionNamesById(ctx, added);
    const names = [...given, ...(await permissionNamesById(ctx, removed))];
    await recordAudit(ctx, {
      action: '给角色授权',
      target: auditTarget('角色', [{ id: group_id, name: role.title }]),
      before: Object.fromEntries(names.map((name) => [name, !given.includes(name)])),
      after: Object.fromEntries(names.map((name) => [name, given.includes(name)])),
    });
  });
  return {};
}

async function assertPermissionsExist(ctx: Context, ids: number[]): Promise<void> {
  const known = await permissionNamesById(ctx, ids);
  if (known.length < ids.length) throw roleErrors.unknownPermission();
}

async function permissionNamesById(ctx: Context, ids: number[]): Promise<string[]> {
  const rows = await ctx.db
    .select({ path: permissions.path })
    .from(permissions)
    .where(inArray(permissions.id, ids))
    .orderBy(permissions.path);
  return rows.map(({ path }) => permissionName(path));
}
