import { and, eq, inArray, notInArray } from 'drizzle-orm';
import { permissionName } from '#modules/account/permission-pages.contract.ts';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { holdsPermissions, lockRoleChanges } from './authority.ts';
import { type roleApi, roleErrors } from './role.contract.ts';
import { permissions, rolePermissions } from './role.table.ts';
import { lockRole, permissionIdsOfRole } from './role.ts';

/** Replaces the permissions of a role. Callers can neither grant nor revoke permissions that they do not hold. */
export async function grantPermissions(
  ctx: UserContext,
  { group_id, permission_id }: ParsedInputOf<typeof roleApi.grant>,
) {
  const requestedIds = [...new Set(permission_id.filter((id) => id > 0))];
  await inTransaction(ctx, async (ctx) => {
    await lockRoleChanges(ctx);
    const role = await lockRole(ctx, group_id);
    await assertPermissionsExist(ctx, requestedIds);
    const currentIds = await permissionIdsOfRole(ctx, group_id);
    const addedIds = requestedIds.filter((id) => !currentIds.includes(id));
    const removedIds = currentIds.filter((id) => !requestedIds.includes(id));
    if (role.is_super && removedIds.length > 0) throw roleErrors.superRole('超级管理员始终拥有全部权限');
    if (!(await holdsPermissions(ctx, [...addedIds, ...removedIds]))) throw roleErrors.beyondOwn();
    await ctx.db
      .delete(rolePermissions)
      .where(and(eq(rolePermissions.role_id, group_id), notInArray(rolePermissions.permission_id, requestedIds)));
    if (addedIds.length > 0)
      await ctx.db.insert(rolePermissions).values(addedIds.map((id) => ({ role_id: group_id, permission_id: id })));
    const addedNames = await permissionNamesById(ctx, addedIds);
    const names = [...addedNames, ...(await permissionNamesById(ctx, removedIds))];
    await recordAudit(ctx, {
      action: '给角色授权',
      target: auditTarget('角色', [{ id: group_id, name: role.title }]),
      before: Object.fromEntries(names.map((name) => [name, !addedNames.includes(name)])),
      after: Object.fromEntries(names.map((name) => [name, addedNames.includes(name)])),
    });
  });
  return {};
}

async function assertPermissionsExist(ctx: Context, ids: number[]): Promise<void> {
  const existingNames = await permissionNamesById(ctx, ids);
  if (existingNames.length < ids.length) throw roleErrors.unknownPermission();
}

async function permissionNamesById(ctx: Context, ids: number[]): Promise<string[]> {
  const rows = await ctx.db
    .select({ path: permissions.path })
    .from(permissions)
    .where(inArray(permissions.id, ids))
    .orderBy(permissions.path);
  return rows.map(({ path }) => permissionName(path));
}
