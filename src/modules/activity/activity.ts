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

/** How far back a feed can be read; nobody turns a thousand pages, and counting has an end. */
const MAX_LISTED_ACTIVITIES = 10_000;

/** Notes what a user did, in the transaction of doing it. */
export async function recordActivity(ctx: Context, { userId, type, payload }: NewActivity): Promise<void> {
  await ctx.db.insert(activities).values({
    user_id: userId,
    type: activityTypes[type],
    payload,
    created_at: ctx.now().toISOString(),
  });
}

/** Corrects the award that the upload activity of a document states. */
export async function updateUploadAward(ctx: Context, documentId: number, award: number): Promise<void> {
  await ctx.db
    .update(activities)
    .set({ payload: sql`jsonb_set(${activities.payload}, '{award}', to_jsonb(${award}::bigint))` })
    .where(and(eq(activities.document_id, documentId), eq(activities.type, activityTypes.upload)));
}

type ListInput = { id?: number; page: number; size: number };

/** A user's activities; others see only what is for everybody. */
export async function listActivities(
  ctx: Context,
  { id, page, size }: ListInput,
): Promise<{ total: number; dynamic: Activity[] }> {
  const userId = id || ctx.user?.id;
  if (!userId) throw httpErrors.loginRequired();
  const isOwner = userId === ctx.user?.id;
  const shown = and(eq(activities.user_id, userId), isOwner ? undefined : await visibleToOthers(ctx, userId));
  const limit = Math.max(size, MIN_ACTIVITY_PAGE_SIZE);
  const offset = (page - 1) * limit;
  const total = await countActivities(ctx, shown);
  if (offset >= total) return { total, dynamic: [] };
  const rows = await ctx.db
    .select()
    .from(activities)
    .where(shown)
    .orderBy(desc(activities.id))
    .limit(Math.min(limit, total - offset))
    .offset(offset);
  const sentences = await describeActivities(ctx, rows, isOwner);
  return { total, dynamic: rows.map((row, at) => ({ ...row, content: sentences[at] ?? '' })) };
}

/** The sentences of some rows, for their owner or for others. */
export async function describeActivities(
  ctx: Context,
  rows: (typeof activities.$inferSelect)[],
  isOwner = false,
): Promise<string[]> {
  const { score } = await getSettings(ctx);
  return rows.map((row) => describeActivity(ctx, row, { isOwner, creditName: score.credit_name }));
}

/** Written out, not as values, so that the partial index of these types can serve. */
const isPublic = sql`${activities.type} in (${sql.raw(publicActivityTypes.join(', '))})
  and not ${activities.is_hidden}`;

/** A favorite of this user, not one that somebody made of a document of theirs. */
const isFavoriteByUser = sql`(${activities.type} = ${sql.raw(String(activityTypes.favorite))}
  and not coalesce((${activities.payload} ->> 'received')::boolean, false))`;

/** What others may read, with whose it is joined: not what that user hides. */
export const isVisibleToOthers = sql`${isPublic}
  and not (${users.hide_favorite} and ${isFavoriteByUser})
  and not (${users.hide_follow} and ${activities.type} = ${sql.raw(String(activityTypes.follow))})`;

/** That somebody favors these documents is not for others any more, nor ever was. */
export async function deleteFavoriteActivities(ctx: Context, userId: number, documentIds: number[]): Promise<void> {
  if (documentIds.length === 0) return;
  await ctx.db
    .delete(activities)
    .where(and(eq(activities.user_id, userId), inArray(activities.document_id, documentIds), isFavoriteByUser));
}

/** The same where it is known whose they are. */
async function visibleToOthers(ctx: Context, id: number): Promise<SQL | undefined> {
  const { hide_favorite, hide_follow } = users;
  const [found] = await ctx.db.select({ hide_favorite, hide_follow }).from(users).where(eq(users.id, id));
  if (!found) throw userErrors.notFound();
  return and(
    isPublic,
    found.hide_favorite ? sql`not ${isFavoriteByUser}` : undefined,
    found.hide_follow ? ne(activities.type, activityTypes.follow) : undefined,
  );
}

async function countActivities(ctx: Context, shown: SQL | undefined): Promise<number> {
  const some = ctx.db.select({ one: sql`1` }).from(activities).where(shown).limit(MAX_LISTED_ACTIVITIES).as('some');
  const [row] = await ctx.db.select({ total: sql<number>`count(*)::int` }).from(some);
  return row?.total ?? 0;
}

/** A row of another version must not hide all the others. */
function describeActivity(ctx: Context, row: typeof activities.$inferSelect, reader: ActivityViewer): string {
  const name = activityTypeName(row.type);
  try {
    if (name) return activityKinds[name].describe(row.payload, reader);
  } catch (error) {
    ctx.log.warn({ err: error, activity: row.id }, 'a stored activity is not valid');
  }
  return '有一条动态';
}
