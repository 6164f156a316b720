import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { createUser } from '#modules/account/account.ts';
import { permissionName } from '#modules/account/permission-pages.contract.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { permissionCatalogue, reviewerServices } from './permission-catalogue.ts';
import { permissions, rolePermissions, roles } from './role.table.ts';
import { grantRole } from './user-roles.ts';

/** Adds new permissions to the table and to the super administrator role; keeps edited titles. */
export const seedPermissions = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await ctx.db
      .insert(permissions)
      .values(permissionCatalogue.map(({ method, path, title }) => ({ method, path, title })))
      .onConflictDoNothing();
    await ctx.db
      .insert(rolePermissions)
      .select(
        ctx.db
          .select({ role_id: roles.id, permission_id: permissions.id })
          .from(roles)
          .innerJoin(permissions, sql`true`)
          .where(eq(roles.is_super, true)),
      )
      .onConflictDoNothing();
  });

const seededRoles = [
  {
    title: '超级管理员',
    description: '拥有全部权限',
    sort: 100,
    is_super: true,
    enable_upload: true,
    grants: () => true,
  },
  {
    title: '内容审核员',
    description: '审核文档、评论与举报',
    sort: 50,
    enable_upload: true,
    grants: (name: string) => reviewerServices.some((service) => name.startsWith(`${service}/`)),
  },
  {
    title: '普通用户',
    description: '注册用户的默认角色',
    sort: 10,
    is_default: true,
    enable_upload: true,
    grants: () => false,
  },
];

export async function seedRoles(ctx: Context): Promise<void> {
  const [{ count } = { count: 0 }] = await ctx.db.select({ count: sql<number>`count(*)::int` }).from(roles);
  if (count > 0) return;
  await inTransaction(ctx, async (ctx) => {
    const allPermissions = await ctx.db.select().from(permissions);
    for (const { grants, ...role } of seededRoles) {
      const [row] = await ctx.db.insert(roles).values(role).returning({ id: roles.id });
      const rolePermissionRows = allPermissions.filter(({ path }) => grants(permissionName(path)));
      if (row && rolePermissionRows.length > 0)
        await ctx.db
          .insert(rolePermissions)
          .values(rolePermissionRows.map(({ id }) => ({ role_id: row.id, permission_id: id })));
    }
  });
}

/** Creates `admin` on an empty site. Returns the password if it was generated, so that it can be shown once. */
export async function seedAdministrator(ctx: Context): Promise<string | null> {
  const [existingUser] = await ctx.db.select({ id: users.id }).from(users).limit(1);
  if (existingUser) return null;
  const password = ctx.config.adminPassword ?? randomBytes(12).toString('base64url');
  await inTransaction(ctx, async (ctx) => {
    // An interrupted first start may have consumed id 1, which root must have.
    await ctx.db.execute(sql`select setval(pg_get_serial_sequence('users', 'id'), 1, false)`);
    const { id: user_id } = await createUser(ctx, { username: 'admin', password });
    const [role] = await ctx.db.select().from(roles).where(eq(roles.is_super, true));
    if (role) await grantRole(ctx, user_id, role.id);
  });
  return ctx.config.adminPassword ? null : password;
}
