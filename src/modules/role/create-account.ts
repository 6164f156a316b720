import { createUser } from '#modules/account/account.ts';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { holdsPermissionsOfRoles, lockRoleChanges } from './authority.ts';
import { type accountApi, accountErrors } from './manage-accounts.contract.ts';
import { lockRolesForAssignment } from './role.ts';
import { replaceRoles } from './user-roles.ts';

export async function createAccount(ctx: UserContext, { group_id, ...account }: ParsedInputOf<typeof accountApi.add>) {
  await inTransaction(ctx, async (ctx) => {
    const { id, username, email } = await createUser(ctx, account);
    await lockRoleChanges(ctx);
    const roles = await findAssignableRoles(ctx, group_id);
    await replaceRoles(ctx, id, group_id);
    await recordAudit(ctx, {
      action: '新增用户',
      target: auditTarget('用户', [{ id, name: username }]),
      after: { username, email, roles },
    });
  });
  return {};
}

/** Titles of the roles. Throws when the caller may not assign one of them. */
export async function findAssignableRoles(ctx: UserContext, roleIds: number[]): Promise<string[]> {
  const roles = await lockRolesForAssignment(ctx, roleIds);
  if (!(await holdsPermissionsOfRoles(ctx, roleIds))) throw accountErrors.beyondOwn();
  return roles.map(({ title }) => title);
}
