import { eq, inArray } from 'drizzle-orm';
import { createUser } from '#modules/account/account.ts';
import { openSession } from '#modules/account/session.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { permissionCatalogue } from './permission-catalogue.ts';
import { permissions, rolePermissions, roles } from './role.table.ts';
import { grantRole } from './user-roles.ts';

export const TEST_PASSWORD = 'a-good-password';
const uniqueSuffix = () => crypto.randomUUID().slice(0, 8);

export async function roleIdOf(ctx: Context, title: string): Promise<number> {
  const [row] = await ctx.db.select().from(roles).where(eq(roles.title, title));
  if (!row) throw new Error(`no role ${title}`);
  return row.id;
}

export async function permissionIds(ctx: Context, names: string[]): Promise<number[]> {
  const paths = permissionCatalogue.filter(({ name }) => names.includes(name));
  const rows = await ctx.db
    .select({ id: permissions.id })
    .from(permissions)
    .where(
      inArray(
        permissions.path,
        paths.map(({ path }) => path),
      ),
    );
  if (rows.length !== names.length) throw new Error(`unknown permission in ${names}`);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** Creates a role with these permissions and flags. */
export async function newRole(
  ctx: Context,
  names: string[] = [],
  flags: Partial<typeof roles.$inferInsert> = {},
): Promise<number> {
  const [role] = await ctx.db
    .insert(roles)
    .values({ title: `角色 ${uniqueSuffix()}`, ...flags })
    .returning({ id: roles.id });
  if (!role) throw new Error('the insert returned no role');
  const grantedIds = await permissionIds(ctx, names);
  if (grantedIds.length > 0)
    await ctx.db
      .insert(rolePermissions)
      .values(grantedIds.map((permission_id) => ({ role_id: role.id, permission_id })));
  return role.id;
}

export const loginHeaders = async (ctx: Context, userId: number) => ({
  authorization: `Bearer ${await openSession(ctx, userId)}`,
});

/** Creates a logged-in user with these roles; the password is TEST_PASSWORD. */
export async function newMember(ctx: Context, roleIds: number[] = []) {
  const { id, username } = await inTransaction(ctx, async (ctx) => {
    const user = await createUser(ctx, { username: `member${uniqueSuffix()}`, password: TEST_PASSWORD });
    for (const roleId of roleIds) await grantRole(ctx, user.id, roleId);
    return user;
  });
  return { id, username, headers: await loginHeaders(ctx, id) };
}

/** Creates a logged-in user with exactly these permissions. */
export const newStaff = async (ctx: Context, names: string[]) => newMember(ctx, [await newRole(ctx, names)]);
