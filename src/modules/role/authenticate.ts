import { asc, eq, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { isBanned } from '#modules/account/login.ts';
import { permissionName } from '#modules/account/permission-pages.contract.ts';
import { findSession, findSessionBySiteAccessToken } from '#modules/account/session.ts';
import type { Context, SessionUser, UserContext } from '#platform/server/context.ts';
import { ROOT_ID } from './authority.ts';
import { permissions, rolePermissions, userRoles } from './role.table.ts';

/** Asked of the database on each request: what is revoked is revoked at once on every node. */
export async function authenticate(ctx: Context, token: string): Promise<SessionUser | null> {
  const session = await findSession(ctx, token);
  return session && loadUser(ctx, session.userId, session.id);
}

/** Who holds a pass; it shows pages and files and does nothing else. */
export async function authenticateSiteAccessToken(ctx: Context, pass: string): Promise<SessionUser | null> {
  const session = await findSessionBySiteAccessToken(ctx, pass);
  return session && loadUser(ctx, session.userId, session.id);
}

/** An account with what it may do; null when there is none or it is banned. */
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
    root: user.id === ROOT_ID,
    permissions: new Set(user.paths.map(permissionName)),
    sessionId,
  };
}

export async function myPermissions(ctx: UserContext) {
  const all = await ctx.db.select().from(permissions).orderBy(asc(permissions.path));
  const held = ctx.user.root ? all : all.filter(({ path }) => ctx.user.permissions.has(permissionName(path)));
  return { permission: held };
}

/** Titles can be edited, so the message of a refusal reads the row. */
export async function permissionTitle(ctx: Context, name: string): Promise<string> {
  const [row] = await ctx.db
    .select({ title: permissions.title })
    .from(permissions)
    .where(sql`${permissions.path} in (${`/api.v1.${name}`}, ${`/api/v1/${name}`})`);
  return row?.title ?? name;
}
