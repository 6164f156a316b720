import { setPassword } from '#modules/account/account.ts';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { UserContext } from '#platform/server/context.ts';
import { inTransactionRequiringAdministrator, lockExistingUsers, requireAuthorityOver } from './authority.ts';
import { findAssignableRoles } from './create-account.ts';
import { type accountApi, accountErrors } from './manage-accounts.contract.ts';
import { listRolesOfUser, replaceRoles } from './user-roles.ts';

/** Replaces the roles of an account and, if one is sent, its password, which ends its sessions. */
export async function updateAccount(
  ctx: UserContext,
  { id, password, group_id }: ParsedInputOf<typeof accountApi.set>,
) {
  // Administrators change their own password with the old one, so this endpoint refuses it.
  if (password && id === ctx.user.id) throw accountErrors.notYourself('请在“修改密码”中更改自己的密码');
  await inTransactionRequiringAdministrator(ctx, async (ctx) => {
    const [account] = await lockExistingUsers(ctx, [id]);
    await requireAuthorityOver(ctx, [id]);
    const before = (await listRolesOfUser(ctx, id)).map(({ title }) => title).sort();
    const after = (await findAssignableRoles(ctx, group_id)).sort();
    await replaceRoles(ctx, id, group_id);
    if (password) await setPassword(ctx, id, password);
    await recordAudit(ctx, {
      action: '设置用户密码与角色',
      target: auditTarget('用户', [{ id, name: account?.username }]),
      before: { roles: before },
      after: { roles: after, ...(password && { password }) },
    });
  });
  return {};
}
