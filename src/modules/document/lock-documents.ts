import { inArray } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { type Context, hasPermission, type UserContext } from '#platform/server/context.ts';
import { documentErrors } from './document.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';

export const UPDATE_PERMISSION = 'DocumentAPI/UpdateDocument';

/**
 * Every change of documents locks in this order, to avoid deadlocks: category tree (shared), files, renditions,
 * documents, users, categories; within each kind by id.
 */
export const lockDocuments = (ctx: Context, ids: readonly number[]): Promise<DocumentRow[]> =>
  ctx.db
    .select()
    .from(documents)
    .where(inArray(documents.id, [...new Set(ids)]))
    .orderBy(documents.id)
    .for('no key update');

/** Fails unless all documents exist outside of the recycle bin. */
export async function lockExistingDocuments(ctx: Context, ids: readonly number[]): Promise<DocumentRow[]> {
  const rows = (await lockDocuments(ctx, ids)).filter(({ deleted_at }) => deleted_at === null);
  if (rows.length < new Set(ids).size) throw documentErrors.notFound();
  return rows;
}

/** Fails unless the caller owns all documents or has the permission. */
export async function lockManageableDocuments(
  ctx: UserContext,
  permission: string,
  ids: readonly number[],
): Promise<DocumentRow[]> {
  const rows = await lockExistingDocuments(ctx, ids);
  const ownsAll = rows.every(({ user_id }) => user_id === ctx.user.id);
  if (!ownsAll && !hasPermission(ctx, permission)) throw documentErrors.forbidden();
  return rows;
}

/** Returns the owners' credit balances. Call before paying or counting any of them. */
export async function lockOwnerBalances(ctx: Context, rows: readonly DocumentRow[]) {
  const owners = await ctx.db
    .select({ id: users.id, balance: users.credit_count })
    .from(users)
    .where(inArray(users.id, [...new Set(rows.map(({ user_id }) => user_id))]))
    .orderBy(users.id)
    .for('no key update');
  return new Map(owners.map(({ id, balance }) => [id, balance]));
}
