import { and, asc, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Context, UserContext } from '#platform/server/context.ts';
import { roleErrors } from './role.contract.ts';
import { roles, userRoles } from './role.table.ts';

/** Roles of a user, the most important first. */
export const listRolesOfUser = (ctx: Context, userId: number) =>
  ctx.db
    .select({ role: roles })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.role_id))
    .where(eq(userRoles.user_id, userId))
    .orderBy(desc(roles.sort), asc(roles.id))
    .then((rows) => rows.map(({ role }) => role));

/** What the roles of a user allow together. */
export type RoleRights = {
  mayUpload: boolean;
  uploadNeedsReview: boolean;
  mayComment: boolean;
  commentNeedsReview: boolean;
  mayDownload: boolean;
  /** Pages of a limited document; 0 when the roles do not limit it. */
  maxPreview: number;
};

const ROOT_RIGHTS: RoleRights = {
  mayUpload: true,
  uploadNeedsReview: false,
  mayComment: true,
  commentNeedsReview: false,
  mayDownload: true,
  maxPreview: 0,
};

/** Allowed if any role allows it; reviewed only if all require it. Without a role nothing is allowed. */
export async function rightsOfUser(ctx: UserContext): Promise<RoleRights> {
  if (ctx.user.root) return ROOT_RIGHTS;
  const held = await listRolesOfUser(ctx, ctx.user.id);
  return {
    mayUpload: held.some((role) => role.enable_upload),
    uploadNeedsReview: held.every((role) => role.enable_document_review),
    mayComment: held.some((role) => role.enable_comment),
    commentNeedsReview: held.every((role) => role.enable_comment_approval),
    mayDownload: held.some((role) => role.enable_download),
    // The most generous role counts, and one that does not limit is more generous than any number.
    maxPreview: held.some((role) => role.max_preview === 0) ? 0 : Math.max(0, ...held.map((role) => role.max_preview)),
  };
}

/** Keeps roles.user_count with rows that came or went; in one order, so that two never wait for each other. */
async function updateMemberCounts(ctx: Context, rows: { role_id: number }[], step: 1 | -1): Promise<void> {
  const byRole = Map.groupBy(rows, ({ role_id }) => role_id);
  for (const role_id of [...byRole.keys()].sort((a, b) => a - b)) {
    const change = step * (byRole.get(role_id)?.length ?? 0);
    await ctx.db
      .update(roles)
      .set({
        user_count: sql`${roles.user_count} + ${change}`,
        updated_at: sql`${roles.updated_at}`,
      })
      .where(eq(roles.id, role_id));
  }
}

async function addRoles(ctx: Context, user_id: number, roleIds: number[]): Promise<void> {
  if (roleIds.length === 0) return;
  const added = await ctx.db
    .insert(userRoles)
    .values(roleIds.map((role_id) => ({ user_id, role_id })))
    .onConflictDoNothing()
    .returning();
  await updateMemberCounts(ctx, added, 1);
}

export const grantRole = (ctx: Context, userId: number, roleId: number): Promise<void> =>
  addRoles(ctx, userId, [roleId]);

/** The user has these roles and no others. Call it with the rights of users locked. */
export async function replaceRoles(ctx: Context, userId: number, roleIds: number[]): Promise<void> {
  const removed = await ctx.db
    .delete(userRoles)
    .where(and(eq(userRoles.user_id, userId), notInArray(userRoles.role_id, roleIds)))
    .returning();
  await updateMemberCounts(ctx, removed, -1);
  await addRoles(ctx, userId, roleIds);
}

/** Before users are deleted. */
export async function removeAllRoles(ctx: Context, userIds: number[]): Promise<void> {
  const removed = await ctx.db.delete(userRoles).where(inArray(userRoles.user_id, userIds)).returning();
  await updateMemberCounts(ctx, removed, -1);
}

/** Gives a new user the role that is usual. Call it inside the transaction that creates the user. */
export async function assignDefaultRole(ctx: Context, userId: number): Promise<void> {
  // Locked, so that the role cannot be deleted before the user has it.
  const [usual] = await ctx.db.select({ id: roles.id }).from(roles).where(eq(roles.is_default, true)).for('key share');
  if (!usual) throw roleErrors.noDefault();
  await grantRole(ctx, userId, usual.id);
}
