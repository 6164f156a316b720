import { and, asc, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Context, UserContext } from '#platform/server/context.ts';
import { roleErrors } from './role.contract.ts';
import { roles, userRoles } from './role.table.ts';

/** Roles of a user by descending `sort`. */
export const listRolesOfUser = (ctx: Context, userId: number) =>
  ctx.db
    .select({ role: roles })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.role_id))
    .where(eq(userRoles.user_id, userId))
    .orderBy(desc(roles.sort), asc(roles.id))
    .then((rows) => rows.map(({ role }) => role));

/** What the roles of a user permit in combination. */
export type RoleRights = {
  mayUpload: boolean;
  uploadNeedsReview: boolean;
  mayComment: boolean;
  commentNeedsReview: boolean;
  mayDownload: boolean;
  /** Readable pages of a limited document; 0 when the roles do not limit them. */
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

/** Permitted if any role permits it; reviewed only if all roles require it. Without a role nothing is permitted. */
export async function rightsOfUser(ctx: UserContext): Promise<RoleRights> {
  if (ctx.user.isRoot) return ROOT_RIGHTS;
  const userRoleRows = await listRolesOfUser(ctx, ctx.user.id);
  return {
    mayUpload: userRoleRows.some((role) => role.enable_upload),
    uploadNeedsReview: userRoleRows.every((role) => role.enable_document_review),
    mayComment: userRoleRows.some((role) => role.enable_comment),
    commentNeedsReview: userRoleRows.every((role) => role.enable_comment_approval),
    mayDownload: userRoleRows.some((role) => role.enable_download),
    // The highest limit applies; 0 means no limit.
    maxPreview: userRoleRows.some((role) => role.max_preview === 0)
      ? 0
      : Math.max(0, ...userRoleRows.map((role) => role.max_preview)),
  };
}

/** Adjusts roles.user_count for added or removed rows, in the order of the role ids to avoid deadlocks. */
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
  const addedRows = await ctx.db
    .insert(userRoles)
    .values(roleIds.map((role_id) => ({ user_id, role_id })))
    .onConflictDoNothing()
    .returning();
  await updateMemberCounts(ctx, addedRows, 1);
}

export const grantRole = (ctx: Context, userId: number, roleId: number): Promise<void> =>
  addRoles(ctx, userId, [roleId]);

/** Replaces the roles of a user. The caller must hold `lockRoleChanges`. */
export async function replaceRoles(ctx: Context, userId: number, roleIds: number[]): Promise<void> {
  const removedRows = await ctx.db
    .delete(userRoles)
    .where(and(eq(userRoles.user_id, userId), notInArray(userRoles.role_id, roleIds)))
    .returning();
  await updateMemberCounts(ctx, removedRows, -1);
  await addRoles(ctx, userId, roleIds);
}

/** Call it before users are deleted, so that roles.user_count stays correct. */
export async function removeAllRoles(ctx: Context, userIds: number[]): Promise<void> {
  const removedRows = await ctx.db.delete(userRoles).where(inArray(userRoles.user_id, userIds)).returning();
  await updateMemberCounts(ctx, removedRows, -1);
}

/** Assigns the default role. Call it inside the transaction that creates the user. */
export async function assignDefaultRole(ctx: Context, userId: number): Promise<void> {
  // The lock keeps other transactions from deleting the role before it is assigned.
  const [defaultRole] = await ctx.db
    .select({ id: roles.id })
    .from(roles)
    .where(eq(roles.is_default, true))
    .for('key share');
  if (!defaultRole) throw roleErrors.noDefault();
  await grantRole(ctx, userId, defaultRole.id);
}
