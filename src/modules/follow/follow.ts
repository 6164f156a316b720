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

/** A feed is put together of all of them. */
const MAX_FOLLOWED = 2_000;

export async function follow(ctx: UserContext, { user_id: target }: { user_id: number }) {
  if (target === ctx.user.id) throw followErrors.yourself();
  await inTransaction(ctx, async (ctx) => {
    const people = await lockUserRows(ctx, [ctx.user.id, target]);
    const found = people.find(({ id }) => id === target);
    if (!found) throw userErrors.notFound();
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
      payload: { user: { id: found.id, username: found.username } },
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

export async function unfollow(ctx: UserContext, { user_id: target }: { user_id: number }) {
  await inTransaction(ctx, async (ctx) => {
    await lockUserRows(ctx, [ctx.user.id, target]);
    await ctx.db.delete(follows).where(and(eq(follows.user_id, ctx.user.id), eq(follows.target_id, target)));
  });
  return {};
}

export async function getFollow(ctx: UserContext, { user_id: other }: { user_id: number }) {
  const own = ctx.user.id;
  const rows = await ctx.db
    .select({ user_id: follows.user_id })
    .from(follows)
    .where(
      or(
        and(eq(follows.user_id, own), eq(follows.target_id, other)),
        and(eq(follows.user_id, other), eq(follows.target_id, own)),
      ),
    );
  return {
    user_id: other,
    is_following: rows.some(({ user_id }) => user_id === own),
    is_fan: rows.some(({ user_id }) => user_id === other),
  };
}

/**
 * Fans of somebody, or whom they follow. Whoever hides whom they follow stands in a list of fans only for
 * the one whose fans they are.
 */
export async function listFollows(ctx: Context, input: ParsedInputOf<typeof followApi.list>) {
  const userId = input.user_id || ctx.user?.id;
  if (!userId) throw httpErrors.loginRequired();
  const isOwner = userId === ctx.user?.id;
  const { hide_follow, fans_count } = await findUser(ctx, userId);
  const isFans = input.type === 'fans';
  if (!isFans && hide_follow && !isOwner) throw followErrors.hidden();
  const [whose, who] = isFans ? [follows.target_id, follows.user_id] : [follows.user_id, follows.target_id];
  const shown = and(
    eq(whose, userId),
    isFans && !isOwner ? or(not(users.hide_follow), ctx.user ? eq(users.id, ctx.user.id) : undefined) : undefined,
  );
  const [counted] = await ctx.db
    .select({ total: count() })
    .from(follows)
    .innerJoin(users, eq(users.id, who))
    .where(shown);
  const rows = await ctx.db
    .select({ user: users, followed_at: follows.created_at, is_following: isFollowedBy(ctx) })
    .from(follows)
    .innerJoin(users, eq(users.id, who))
    .where(shown)
    .orderBy(desc(follows.id))
    .limit(input.size)
    .offset((input.page - 1) * input.size);
  const total = counted?.total ?? 0;
  return {
    total,
    hidden: isFans ? Math.max(0, fans_count - total) : 0,
    user: rows.map(({ user, ...rest }) => ({ ...user, ...rest })),
  };
}

const isFollowedBy = ({ user }: Context): SQL<boolean> =>
  user
    ? sql<boolean>`exists (select 1 from ${follows} own
        where own.user_id = ${user.id} and own.target_id = ${users.id})`
    : sql<boolean>`false`;
