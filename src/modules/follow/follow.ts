import { and, count, desc, eq, not, or, type SQL, sql } from 'drizzle-orm';
import { userErrors } from '#modules/account/account.contract.ts';
import { users } from '#modules/account/account.table.ts';
import { findUser } from '#modules/account/account.ts';
import { lockUserRows } from '#modules/account/lock-users.ts';
import { recordActivity } from '#modules/activity/activity.ts';
import { notify } from '#modules/notification/notify.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { type followApi, followErrors } from './follow.contract.ts';
import { follows } from './follow.table.ts';

/** Limited because the feed query joins the activities of all followed users. */
const MAX_FOLLOWED = 2_000;

export async function followUser(ctx: UserContext, { user_id: target }: { user_id: number }) {
  if (target === ctx.user.id) throw followErrors.yourself();
  await inTransaction(ctx, async (ctx) => {
    const lockedUsers = await lockUserRows(ctx, [ctx.user.id, target]);
    const targetUser = lockedUsers.find(({ id }) => id === target);
    if (!targetUser) throw userErrors.notFound();
    const { follow_count, hide_follow } = await findUser(ctx, ctx.user.id);
    if (follow_count >= MAX_FOLLOWED) throw followErrors.tooMany();
    const [row] = await ctx.db
      .insert(follows)
      .values({ user_id: ctx.user.id, target_id: target, created_at: ctx.now().toISOString() })
      .onConflictDoNothing({ target: [follows.user_id, follows.target_id] })
      .returning({ id: follows.id });
    if (!row) throw followErrors.exists();
    await recordActivity(ctx, {
      userId: ctx.user.id,
      type: 'follow',
      payload: { user: { id: targetUser.id, username: targetUser.username } },
    });
    if (!hide_follow)
      await notify(ctx, {
        userId: target,
        actorId: ctx.user.id,
        kind: 'follow',
        key: `follow:${ctx.user.id}`,
        payload: {},
      });
  });
  return {};
}

export async function unfollowUser(ctx: UserContext, { user_id: target }: { user_id: number }) {
  await inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id, target]);
    await ctx.db.delete(follows).where(and(eq(follows.user_id, ctx.user.id), eq(follows.target_id, target)));
  });
  return {};
}

export async function getFollowRelation(ctx: UserContext, { user_id: otherId }: { user_id: number }) {
  const myId = ctx.user.id;
  const rows = await ctx.db
    .select({ user_id: follows.user_id })
    .from(follows)
    .where(
      or(
        and(eq(follows.user_id, myId), eq(follows.target_id, otherId)),
        and(eq(follows.user_id, otherId), eq(follows.target_id, myId)),
      ),
    );
  return {
    user_id: otherId,
    is_following: rows.some(({ user_id }) => user_id === myId),
    is_fan: rows.some(({ user_id }) => user_id === otherId),
  };
}

/**
 * Lists the fans of a user, or the users that the user follows. A fan who hides whom they follow is visible only to
 * themselves and to the user they follow.
 */
export async function listFollows(ctx: Context, input: ParsedInputOf<typeof followApi.list>) {
  const userId = input.user_id || ctx.user?.id;
  if (!userId) throw httpErrors.loginRequired();
  const isOwner = userId === ctx.user?.id;
  const { hide_follow, fans_count } = await findUser(ctx, userId);
  const isFans = input.type === 'fans';
  if (!isFans && hide_follow && !isOwner) throw followErrors.hidden();
  const [ownerColumn, listedColumn] = isFans
    ? [follows.target_id, follows.user_id]
    : [follows.user_id, follows.target_id];
  const condition = and(
    eq(ownerColumn, userId),
    isFans && !isOwner ? or(not(users.hide_follow), ctx.user ? eq(users.id, ctx.user.id) : undefined) : undefined,
  );
  const [countRow] = await ctx.db
    .select({ total: count() })
    .from(follows)
    .innerJoin(users, eq(users.id, listedColumn))
    .where(condition);
  const rows = await ctx.db
    .select({ user: users, followed_at: follows.created_at, is_following: isFollowedByCaller(ctx) })
    .from(follows)
    .innerJoin(users, eq(users.id, listedColumn))
    .where(condition)
    .orderBy(desc(follows.id))
    .limit(input.size)
    .offset((input.page - 1) * input.size);
  const total = countRow?.total ?? 0;
  return {
    total,
    hidden: isFans ? Math.max(0, fans_count - total) : 0,
    user: rows.map(({ user, ...rest }) => ({ ...user, ...rest })),
  };
}

const isFollowedByCaller = ({ user }: Context): SQL<boolean> =>
  user
    ? sql<boolean>`exists (select 1 from ${follows} my_follow
        where my_follow.user_id = ${user.id} and my_follow.target_id = ${users.id})`
    : sql<boolean>`false`;
