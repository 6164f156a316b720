import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { activityTypes } from '#modules/activity/activity.contract.ts';
import { activities } from '#modules/activity/activity.table.ts';
import { describeActivities, isVisibleToOthers } from '#modules/activity/activity.ts';
import type { UserContext } from '#platform/server/context.ts';
import { follows } from './follow.table.ts';

/** News is what is new; who wants to know more of somebody looks at their home. */
const MAX_SHOWN = 200;
/** What is worth telling: not that somebody has registered, or signed in for the day. */
const { comment, favorite, upload, share, follow } = activityTypes;
const told = [comment, favorite, upload, share, follow];

/** What those the caller follows did lately, newest first. */
export async function followFeed(ctx: UserContext, { page, size }: { page: number; size: number }) {
  // Of each a few rows of one index, however much they have done.
  const latest = ctx.db
    .select({ id: activities.id })
    .from(activities)
    .innerJoin(users, eq(users.id, activities.user_id))
    .where(
      and(
        sql`${activities.user_id} = ${follows.target_id}`,
        isVisibleToOthers,
        inArray(activities.type, told),
        // Done by them, not to them.
        sql`not coalesce((${activities.payload} ->> 'received')::boolean, false)`,
      ),
    )
    .orderBy(desc(activities.id))
    .limit(MAX_SHOWN);
  const { rows: found } = await ctx.db.execute<{ id: string }>(sql`
    select latest.id from ${follows} cross join lateral (${latest}) as latest
    where ${follows.user_id} = ${ctx.user.id} order by latest.id desc limit ${MAX_SHOWN}`);
  const ids = found.slice((page - 1) * size, page * size).map(({ id }) => Number(id));
  if (ids.length === 0) return { total: found.length, dynamic: [] };
  const rows = await ctx.db
    .select({
      row: activities,
      user: { id: users.id, username: users.username, avatar: users.avatar },
    })
    .from(activities)
    .innerJoin(users, eq(users.id, activities.user_id))
    .where(inArray(activities.id, ids))
    .orderBy(desc(activities.id));
  const described = await describeActivities(
    ctx,
    rows.map(({ row }) => row),
  );
  return {
    total: found.length,
    dynamic: rows.map(({ row, user }, at) => ({
      ...row,
      user,
      document_id: row.document_id ?? 0,
      content: described[at] ?? '',
    })),
  };
}
