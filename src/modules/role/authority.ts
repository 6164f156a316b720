import { and, eq, inArray, not, sql } from 'drizzle-orm';
import { userErrors } from '#modules/account/account.contract.ts';
import { users } from '#modules/account/account.table.ts';
import { permissionName } from '#modules/account/permission-pages.contract.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { accountErrors } from './manage-accounts.contract.ts';
import { permissions, rolePermissions, roles, userRoles } from './role.table.ts';

/** User 1 is root and holds every permission, also those added later. */
export const ROOT_ID = 1;

/** The same condition as `isBanned` of the account module, for queries. */
export const isBannedNow = (now: Date) =>
  sql<boolean>`(${users.is_banned} and (${users.banned_until} is null or ${users.banned_until} > ${now.toISOString()}))`;

/** Serializes changes of roles and of the roles of users. The lock ends with the transaction. */
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

/** Runs a change of accounts, one at a time; rolls it back when it would remove the last super administrator. */
export const inTransactionRequiringAdministrator = <C extends Context, T>(
  ctx: C,
  change: (ctx: C) => Promise<T>,
): Promise<T> =>
  inRetriedTransaction(ctx, async (ctx) => {
    await lockRoleChanges(ctx);
    const administratorsBefore = await countAdministrators(ctx);
    const result = await change(ctx);
    if (administratorsBefore > 0 && (await countAdministrators(ctx)) === 0) throw accountErrors.lastAdministrator();
    return result;
  });

/** Throws when one of the accounts does not exist. */
export async function lockExistingUsers(ctx: Context, ids: number[]) {
  const distinctIds = [...new Set(ids)];
  const rows = await ctx.db.select().from(users).where(inArray(users.id, distinctIds)).orderBy(users.id).for('update');
  if (rows.length < distinctIds.length) throw userErrors.notFound();
  return rows;
}

const holdsAllNames = ({ user }: UserContext, names: string[]) =>
  user.isRoot || names.every((name) => user.permissions.has(name));

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

export async function holdsPermissions(ctx: UserContext, ids: number[]): Promise<boolean> {
  const rows = await ctx.db.select({ path: permissions.path }).from(permissions).where(inArray(permissions.id, ids));
  return holdsAllNames(
    ctx,
    rows.map(({ path }) => permissionName(path)),
  );
}

/** Throws when the caller may not change one of the accounts: root, or one with permissions that the caller lacks. */
export async function requireAuthorityOver(ctx: UserContext, userIds: number[]): Promise<void> {
  if (ctx.user.isRoot) return;
  if (userIds.includes(ROOT_ID)) throw accountErrors.rootStays();
  const otherIds = userIds.filter((id) => id !== ctx.user.id);
  const targetRoles = await ctx.db
    .selectDistinct({ role_id: userRoles.role_id })
    .from(userRoles)
    .where(inArray(userRoles.user_id, otherIds));
  const holdsAllPermissions = await holdsPermissionsOfRoles(
    ctx,
    targetRoles.map(({ role_id }) => role_id),
  );
  if (!holdsAllPermissions) throw accountErrors.beyondOwn();
}
