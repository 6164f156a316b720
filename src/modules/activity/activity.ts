import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { userErrors } from '#modules/account/account.contract.ts';
import { users } from '#modules/account/account.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { type Activity, activityTypes, MIN_ACTIVITY_PAGE_SIZE } from './activity.contract.ts';
import { activities } from './activity.table.ts';
import {
  type ActivityViewer,
  activityKinds,
  activityTypeName,
  type NewActivity,
  publicActivityTypes,
} from './activity-kinds.ts';

/** Bounds the cost of counting and of deep pages. */
const MAX_LISTED_ACTIVITIES = 10_000;

/** Call it in the transaction of the action. */
export async function recordActivity(ctx: Context, { userId, type, payload }: NewActivity): Promise<void> {
  await ctx.db.insert(activities).values({
    user_id: userId,
    type: activityTypes[type],
    payload,
    is_hidden: 'document' in payload ? isHiddenDocument(payload.document.id) : false,
    created_at: ctx.now().toISOString(),
  });
}

/** From then on `updateActivitiesOfDocuments` follows the document. */
const isHiddenDocument = (documentId: number) => sql`exists (
  select 1 from documents
  where id = ${documentId} and not document_is_public(deleted_at, visibility, status))`;

export async function updateUploadAward(ctx: Context, documentId: number, award: number): Promise<void> {
  await ctx.db
    .update(activities)
    .set({ payload: sql`jsonb_set(${activities.payload}, '{award}', to_jsonb(${award}::bigint))` })
    .where(and(eq(activities.document_id, documentId), eq(activities.type, activityTypes.upload)));
}

type ListInput = { id?: number; page: number; size: number };

/** Activities of a user; other users see only public ones. */
export async function listActivities(
  ctx: Context,
  { id, page, size }: ListInput,
): Promise<{ total: number; dynamic: Activity[] }> {
  const userId = id || ctx.user?.id;
  if (!userId) throw httpErrors.loginRequired();
  const isOwner = userId === ctx.user?.id;
  const condition = and(eq(activities.user_id, userId), isOwner ? undefined : await visibleToOthers(ctx, userId));
  const limit = Math.max(size, MIN_ACTIVITY_PAGE_SIZE);
  const offset = (page - 1) * limit;
  const total = await countActivities(ctx, condition);
  if (offset >= total) return { total, dynamic: [] };
  const rows = await ctx.db
    .select()
    .from(activities)
    .where(condition)
    .orderBy(desc(activities.id))
    .limit(Math.min(limit, total - offset))
    .offset(offset);
  const descriptions = await describeActivities(ctx, rows, isOwner);
  return { total, dynamic: rows.map((row, at) => ({ ...row, content: descriptions[at] ?? '' })) };
}

/** Descriptions of the rows for their owner or for other users. */
export async function describeActivities(
  ctx: Context,
  rows: (typeof activities.$inferSelect)[],
  isOwner = false,
): Promise<string[]> {
  const { score } = await getSettings(ctx);
  return rows.map((row) => describeActivity(ctx, row, { isOwner, creditName: score.credit_name }));
}

/** Literals instead of parameters, so that PostgreSQL can use the partial index of these types. */
const isPublic = sql`${activities.type} in (${sql.raw(publicActivityTypes.join(', '))})
  and not ${activities.is_hidden}`;

/** A favorite by this user, not one by another user of a document of this user. */
const isFavoriteByUser = sql`(${activities.type} = ${sql.raw(String(activityTypes.favorite))}
  and not coalesce((${activities.payload} ->> 'received')::boolean, false))`;

/** For queries that join `users`: public activities that the user does not hide. */
export const isVisibleToOthers = sql`${isPublic}
  and not (${users.hide_favorite} and ${isFavoriteByUser})
  and not (${users.hide_follow} and ${activities.type} = ${sql.raw(String(activityTypes.follow))})`;

/** Call it when the user removes the favorites, so that other users no longer see them. */
export async function deleteFavoriteActivities(ctx: Context, userId: number, documentIds: number[]): Promise<void> {
  if (documentIds.length === 0) return;
  await ctx.db
    .delete(activities)
    .where(and(eq(activities.user_id, userId), inArray(activities.document_id, documentIds), isFavoriteByUser));
}

/** The same condition for the activities of one user, without a join. */
async function visibleToOthers(ctx: Context, id: number): Promise<SQL | undefined> {
  const { hide_favorite, hide_follow } = users;
  const [user] = await ctx.db.select({ hide_favorite, hide_follow }).from(users).where(eq(users.id, id));
  if (!user) throw userErrors.notFound();
  return and(
    isPublic,
    user.hide_favorite ? sql`not ${isFavoriteByUser}` : undefined,
    user.hide_follow ? ne(activities.type, activityTypes.follow) : undefined,
  );
}

async function countActivities(ctx: Context, condition: SQL | undefined): Promise<number> {
  const boundedRows = ctx.db
    .select({ one: sql`1` })
    .from(activities)
    .where(condition)
    .limit(MAX_LISTED_ACTIVITIES)
    .as('bounded_rows');
  const [row] = await ctx.db.select({ total: sql<number>`count(*)::int` }).from(boundedRows);
  return row?.total ?? 0;
}

/** Returns a generic text for an invalid row, for example of another version, so that it does not break the list. */
function describeActivity(ctx: Context, row: typeof activities.$inferSelect, viewer: ActivityViewer): string {
  const name = activityTypeName(row.type);
  try {
    if (name) return activityKinds[name].describe(row.payload, viewer);
  } catch (error) {
    ctx.log.warn({ err: error, activity: row.id }, 'a stored activity is not valid');
  }
  return '有一条动态';
}
