import { asc, eq, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { isBanned } from '#modules/account/login.ts';
import { permissionName } from '#modules/account/permission-pages.contract.ts';
import { findAndExtendSession, findSessionBySiteAccessToken } from '#modules/account/session.ts';
import type { Context, SessionUser, UserContext } from '#platform/server/context.ts';
import { ROOT_ID } from './authority.ts';
import { permissions, rolePermissions, userRoles } from './role.table.ts';

/** Queries the database on each request, so that a revoked session or permission ends immediately on every node. */
export async function authenticate(ctx: Context, token: string): Promise<SessionUser | null> {
  const session = await findAndExtendSession(ctx, token);
  return session && loadUser(ctx, session.userId, session.id);
}

/** The user of a site access token, which gives access to pages and files but not to the API. */
export async function authenticateSiteAccessToken(ctx: Context, siteAccessToken: string): Promise<SessionUser | null> {
  const session = await findSessionBySiteAccessToken(ctx, siteAccessToken);
  return session && loadUser(ctx, session.userId, session.id);
}

/** An account with its permissions; null when it does not exist or is banned. */
export async function loadUser(ctx: Context, userId: number, sessionId: number): Promise<SessionUser | null> {
  const [user] = await ctx.db
    .select({
      id: users.id,
      username: users.username,
      is_banned: users.is_banned,
      banned_until: users.banned_until,
      paths: sql<string[]>`array(
        select distinct p.path from ${userRoles} ur
        join ${rolePermissions} rp on rp.role_id = ur.role_id
        join ${permissions} p on p.id = rp.permission_id
        where ur.user_id = ${userId})`,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!user || isBanned(user, ctx.now())) return null;
  return {
    id: user.id,
    username: user.username,
    isRoot: user.id === ROOT_ID,
    permissions: new Set(user.paths.map(permissionName)),
    sessionId,
  };
}

export async function listMyPermissions(ctx: UserContext) {
  const allPermissions = await ctx.db.select().from(permissions).orderBy(asc(permissions.path));
  const heldPermissions = ctx.user.isRoot
    ? allPermissions
    : allPermissions.filter(({ path }) => ctx.user.permissions.has(permissionName(path)));
  return { permission: heldPermissions };
}

/** Read from the table, because administrators can edit the titles. */
export async function findPermissionTitle(ctx: Context, name: string): Promise<string> {
  const [row] = await ctx.db
    .select({ title: permissions.title })
    .from(permissions)
    .where(sql`${permissions.path} in (${`/api.v1.${name}`}, ${`/api/v1/${name}`})`);
  return row?.title ?? name;
}
