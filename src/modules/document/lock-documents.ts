import { inArray } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { type Context, can, type UserContext } from '#platform/server/context.ts';
import { documentErrors } from './document.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';

export const UPDATE_PERMISSION = 'DocumentAPI/UpdateDocument';

/**
 * Changes of documents lock in one order, so that two of them never wait for each other: the tree of
 * categories (shared), files, contents, documents, users, categories; of each kind by id.
 */
export const lockDocuments = (ctx: Context, ids: readonly number[]): Promise<DocumentRow[]> =>
  ctx.db
    .select()
    .from(documents)
    .where(inArray(documents.id, [...new Set(ids)]))
    .orderBy(documents.id)
    .for('no key update');

/** Documents to be changed, all of which must be there and not in the recycle bin. */
export async function lockPresent(ctx: Context, ids: readonly number[]): Promise<DocumentRow[]> {
  const rows = (await lockDocuments(ctx, ids)).filter(({ deleted_at }) => deleted_at === null);
  if (rows.length < new Set(ids).size) throw documentErrors.notFound();
  return rows;
}

/** The same for owners and holders of a permission: one that is not theirs refuses all of them. */
export async function lockManageableDocuments(
  ctx: UserContext,
  permission: string,
  ids: readonly number[],
): Promise<DocumentRow[]> {
  const rows = await lockPresent(ctx, ids);
  const areOwn = rows.every(({ user_id }) => user_id === ctx.user.id);
  if (!areOwn && !can(ctx, permission)) throw documentErrors.forbidden();
  return rows;
}

/** The owners with their beans, before any of them is paid or counted. */
export async function lockOwners(ctx: Context, rows: readonly DocumentRow[]) {
  const owners = await ctx.db
    .select({ id: users.id, balance: users.credit_count })
    .from(users)
    .where(inArray(users.id, [...new Set(rows.map(({ user_id }) => user_id))]))
    .orderBy(users.id)
    .for('no key update');
  return new Map(owners.map(({ id, balance }) => [id, balance]));
}
