import { and, eq, inArray, not, sql } from 'drizzle-orm';
import { userErrors } from '#modules/account/account.contract.ts';
import { users } from '#modules/account/account.table.ts';
import { permissionName } from '#modules/account/permission-pages.contract.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { accountErrors } from './manage-accounts.contract.ts';
import { permissions, rolePermissions, roles, userRoles } from './role.table.ts';

/** User 1 is root: holds every permission, now and later. */
export const ROOT_ID = 1;

/** Whether a ban holds at this moment, asked in a query. */
export const isBannedNow = (now: Date) =>
  sql<boolean>`(${users.is_banned} and (${users.banned_until} is null or ${users.banned_until} > ${now.toISOString()}))`;

/** One change of roles or of somebody's rights at a time. Ends with the transaction. */
export const lockRoleChanges = (ctx: Context) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended('access', 0))`);

async function countAdministrators(ctx: Context): Promise<number> {
  const [row] = await ctx.db
    .select({ count: sql<number>`count(*)::int` })
    .from(userRoles)
    .innerJoin(roles, and(eq(roles.id, userRoles.role_id), roles.is_super))
    .innerJoin(users, eq(users.id, userRoles.user_id))
    .where(not(isBannedNow(ctx.now())));
  return row?.count ?? 0;
}

/** A change of accounts, alone of its kind; undone when it would take the last super administrator away. */
export const inAccountTransaction = <C extends Context, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> =>
  inRetriedTransaction(ctx, async (ctx) => {
    await lockRoleChanges(ctx);
    const before = await countAdministrators(ctx);
    const result = await work(ctx);
    if (before > 0 && (await countAdministrators(ctx)) === 0) throw accountErrors.lastAdministrator();
    return result;
  });

/** Locks the accounts to be changed. One that does not exist refuses all of them. */
export async function lockExistingUsers(ctx: Context, ids: number[]) {
  const wanted = [...new Set(ids)];
  const rows = await ctx.db.select().from(users).where(inArray(users.id, wanted)).orderBy(users.id).for('update');
  if (rows.length < wanted.length) throw userErrors.notFound();
  return rows;
}

const holdsAllNames = ({ user }: UserContext, names: string[]) =>
  user.root || names.every((name) => user.permissions.has(name));

/** Whether the caller holds all that these roles give. */
export async function holdsPermissionsOfRoles(ctx: UserContext, roleIds: number[]): Promise<boolean> {
  const rows = await ctx.db
    .selectDistinct({ path: permissions.path })
    .from(rolePermissions)
    .innerJoin(permissions, eq(permissions.id, rolePermissions.permission_id))
    .where(inArray(rolePermissions.role_id, roleIds));
  return holdsAllNames(
    ctx,
    rows.map(({ path }) => permissionName(path)),
  );
}

/** Whether the caller holds these permissions. */
export async function holdsPermissions(ctx: UserContext, ids: number[]): Promise<boolean> {
  const rows = await ctx.db.select({ path: permissions.path }).from(permissions).where(inArray(permissions.id, ids));
  return holdsAllNames(
    ctx,
    rows.map(({ path }) => permissionName(path)),
  );
}

/** Refuses to let the caller change accounts that stand above: root's, or one that may do more. */
export async function requireAuthorityOver(ctx: UserContext, userIds: number[]): Promise<void> {
  if (ctx.user.root) return;
  if (userIds.includes(ROOT_ID)) throw accountErrors.rootStays();
  const others = userIds.filter((id) => id !== ctx.user.id);
  const held = await ctx.db
    .selectDistinct({ role_id: userRoles.role_id })
    .from(userRoles)
    .where(inArray(userRoles.user_id, others));
  const isCovered = await holdsPermissionsOfRoles(
    ctx,
    held.map(({ role_id }) => role_id),
  );
  if (!isCovered) throw accountErrors.beyondOwn();
}
