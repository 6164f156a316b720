import { inArray } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { announceUserChange } from '#modules/account/announce-user-change.ts';
import { isCurrentUserPassword } from '#modules/account/is-current-user-password.ts';
import { recordRemoval } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { UserContext } from '#platform/server/context.ts';
import { isForeignKeyViolation } from '#platform/server/db/db.ts';
import { inTransactionRequiringAdministrator, lockExistingUsers, ROOT_ID, requireAuthorityOver } from './authority.ts';
import { type accountApi, accountErrors } from './manage-accounts.contract.ts';
import { removeAllRoles } from './user-roles.ts';

/** Deletes all of the accounts or none. Foreign keys delete or detach the rows that belong to them. */
export async function deleteAccounts(ctx: UserContext, { id: ids, password }: ParsedInputOf<typeof accountApi.remove>) {
  if (!(await isCurrentUserPassword(ctx, password))) throw accountErrors.wrongPassword();
  if (ids.includes(ROOT_ID)) throw accountErrors.rootStays();
  if (ids.includes(ctx.user.id)) throw accountErrors.notYourself();
  await inTransactionRequiringAdministrator(ctx, async (ctx) => {
    const accounts = await lockExistingUsers(ctx, ids);
    await requireAuthorityOver(ctx, ids);
    const accountWithDocuments = accounts.find(({ doc_count }) => doc_count > 0);
    if (accountWithDocuments)
      throw accountErrors.hasDocuments(`用户“${accountWithDocuments.username}”存在文档，不允许删除`);
    await removeAllRoles(ctx, ids);
    await ctx.db.delete(users).where(inArray(users.id, ids));
    await announceUserChange(ctx);
    const removal = { action: '删除用户', kind: '用户', ids };
    await recordRemoval(
      ctx,
      removal,
      // The log does not keep personal data of deleted users.
      accounts.map(({ id, username, credit_count }) => ({
        id,
        name: username,
        values: { username, credit_count },
      })),
    );
  }).catch(throwHasDocuments);
  return {};
}

/** doc_count does not include documents in the recycle bin and unpublished ones, but the foreign key does. */
function throwHasDocuments(error: unknown): never {
  if (isForeignKeyViolation(error, 'documents_user_id_fkey'))
    throw accountErrors.hasDocuments('用户存在文档（含回收站和未公开的文档），不允许删除');
  throw error;
}
