import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { activityTypes } from '#modules/activity/activity.contract.ts';
import { activities } from '#modules/activity/activity.table.ts';
import { describeActivities, isVisibleToOthers } from '#modules/activity/activity.ts';
import type { UserContext } from '#platform/server/context.ts';
import { follows } from './follow.table.ts';

/** The feed shows only recent activities; older ones are on the user pages. */
const MAX_FEED_ITEMS = 200;
/** Registrations and check-ins are left out of the feed. */
const { comment, favorite, upload, share, follow } = activityTypes;
const feedActivityTypes = [comment, favorite, upload, share, follow];

/** Recent activities of the users that the caller follows, newest first. */
export async function getFollowFeed(ctx: UserContext, { page, size }: { page: number; size: number }) {
  // The lateral join reads at most MAX_FEED_ITEMS index rows per followed user.
  const latest = ctx.db
    .select({ id: activities.id })
    .from(activities)
    .innerJoin(users, eq(users.id, activities.user_id))
    .where(
      and(
        sql`${activities.user_id} = ${follows.target_id}`,
        isVisibleToOthers,
        inArray(activities.type, feedActivityTypes),
        // Activities by the user, not those received from others.
        sql`not coalesce((${activities.payload} ->> 'received')::boolean, false)`,
      ),
    )
    .orderBy(desc(activities.id))
    .limit(MAX_FEED_ITEMS);
  const { rows: feedRows } = await ctx.db.execute<{ id: string }>(sql`
    select latest.id from ${follows} cross join lateral (${latest}) as latest
    where ${follows.user_id} = ${ctx.user.id} order by latest.id desc limit ${MAX_FEED_ITEMS}`);
  const ids = feedRows.slice((page - 1) * size, page * size).map(({ id }) => Number(id));
  if (ids.length === 0) return { total: feedRows.length, dynamic: [] };
  const rows = await ctx.db
    .select({
      row: activities,
      user: { id: users.id, username: users.username, avatar: users.avatar },
    })
    .from(activities)
    .innerJoin(users, eq(users.id, activities.user_id))
    .where(inArray(activities.id, ids))
    .orderBy(desc(activities.id));
  const descriptions = await describeActivities(
    ctx,
    rows.map(({ row }) => row),
  );
  return {
    total: feedRows.length,
    dynamic: rows.map(({ row, user }, at) => ({
      ...row,
      user,
      document_id: row.document_id ?? 0,
      content: descriptions[at] ?? '',
    })),
  };
}
