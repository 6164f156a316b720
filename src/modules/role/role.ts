import { asc, desc, eq, inArray } from 'drizzle-orm';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, hasPermission } from '#platform/server/context.ts';
import { containsWords, orderByTerms, pageSlice } from '#platform/server/db/list-query.ts';
import { type Role, type roleApi, roleErrors } from './role.contract.ts';
import { rolePermissions, roles } from './role.table.ts';

/** Announced to all nodes when a role changes, because the default role limits what visitors may read. */
export const ROLES_CACHE_KEY = 'roles';

const { id, title, sort, user_count, created_at, updated_at } = roles;
const orderColumns = { id, title, sort, user_count, created_at, updated_at };

/** All roles unless a page is requested. Only callers with the permission may search. */
export async function listRoles(ctx: Context, input: ParsedInputOf<typeof roleApi.list>) {
  const wd = hasPermission(ctx, 'GroupAPI/ListGroup') ? input.wd : undefined;
  const rows = await ctx.db
    .select()
    .from(roles)
    .where(containsWords([title, roles.description], wd))
    .orderBy(...orderByTerms(input, orderColumns, [desc(sort), asc(id)]));
  return { total: rows.length, group: pageSlice(rows, input) };
}

async function findRole(ctx: Context, roleId: number) {
  const [row] = await ctx.db.select().from(roles).where(eq(id, roleId));
  if (!row) throw roleErrors.notFound();
  return row;
}

export const getRole = (ctx: Context, input: { id: number }): Promise<Role> => findRole(ctx, input.id);

export async function lockRole(ctx: Context, roleId: number) {
  const [row] = await ctx.db.select().from(roles).where(eq(id, roleId)).for('update');
  if (!row) throw roleErrors.notFound();
  return row;
}

/** Roles to be assigned, locked against deletion. Throws when one of them does not exist. */
export async function lockRolesForAssignment(ctx: Context, roleIds: number[]) {
  const ids = [...new Set(roleIds)];
  const rows = await ctx.db.select().from(roles).where(inArray(id, ids)).orderBy(asc(id)).for('key share');
  if (rows.length < ids.length) throw roleErrors.notFound();
  return rows;
}

export async function permissionIdsOfRole(ctx: Context, roleId: number): Promise<number[]> {
  const rows = await ctx.db
    .select({ id: rolePermissions.permission_id })
    .from(rolePermissions)
    .where(eq(rolePermissions.role_id, roleId))
    .orderBy(asc(rolePermissions.permission_id));
  return rows.map((row) => row.id);
}

export async function getRolePermissions(ctx: Context, input: { id: number }) {
  await findRole(ctx, input.id);
  return { permission_id: await permissionIdsOfRole(ctx, input.id) };
}
