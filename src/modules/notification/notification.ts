import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { countOrEstimate } from '#platform/server/db/list-query.ts';
import { type notificationApi, notificationKindNames, notificationKinds } from './notification.contract.ts';
import { notificationSettings, notifications } from './notification.table.ts';
import { notificationTexts } from './notification-kinds.ts';

/** Bounds the cost of counting; the bell shows at most 99+. */
const MAX_UNREAD_COUNT = 1_000;

type Row = typeof notifications.$inferSelect;
type Actor = { id: number; username: string; avatar: string };
const SITE_ACTOR: Actor = { id: 0, username: '', avatar: '' };

const isMyNotification = (ctx: UserContext) => eq(notifications.user_id, ctx.user.id);

export async function listNotifications(
  ctx: UserContext,
  { page, size, kind, is_read }: ParsedInputOf<typeof notificationApi.list>,
) {
  const condition = and(
    isMyNotification(ctx),
    kind?.length ? inArray(notifications.kind, kind) : undefined,
    is_read === undefined ? undefined : (is_read ? isNotNull : isNull)(notifications.read_at),
  );
  const rows = await ctx.db
    .select({
      row: notifications,
      actor: { id: users.id, username: users.username, avatar: users.avatar },
    })
    .from(notifications)
    .leftJoin(users, eq(users.id, notifications.actor_id))
    .where(condition)
    .orderBy(desc(notifications.id))
    .limit(size)
    .offset((page - 1) * size);
  return {
    total: await countOrEstimate(ctx.db, notifications, condition),
    notification: rows.map(({ row, actor }) => describeNotification(ctx, row, actor ?? SITE_ACTOR)),
  };
}

/** Returns a generic text for an invalid row, for example of another version, so that it does not break the list. */
export function describeNotification(ctx: Context, row: Row, actor: Actor) {
  const { id, kind, created_at, read_at } = row;
  const commonFields = { id, kind, actor, is_read: read_at !== null, created_at };
  try {
    return { ...commonFields, ...notificationTexts[kind].describe(row.payload, actor) };
  } catch (error) {
    ctx.log.warn({ err: error, notification: id }, 'a stored notification is not valid');
    return { ...commonFields, content: '有一条消息', link: '/notification' };
  }
}

export async function countUnreadNotifications(ctx: UserContext) {
  const boundedRows = ctx.db
    .select({ one: sql`1` })
    .from(notifications)
    .where(and(isMyNotification(ctx), isNull(notifications.read_at)))
    .limit(MAX_UNREAD_COUNT)
    .as('bounded_rows');
  const [row] = await ctx.db.select({ unread: sql<number>`count(*)::int` }).from(boundedRows);
  return { unread: row?.unread ?? 0 };
}

export async function markNotificationsRead(ctx: UserContext, { id, all }: ParsedInputOf<typeof notificationApi.read>) {
  if (!all && !id) throw httpErrors.invalidInput('请选择要标为已读的消息');
  await inTransaction(ctx, async (ctx) => {
    if (id) await lockMyNotifications(ctx, id);
    await ctx.db
      .update(notifications)
      .set({ read_at: ctx.now().toISOString() })
      .where(
        and(
          isMyNotification(ctx),
          isNull(notifications.read_at),
          all || !id ? undefined : inArray(notifications.id, id),
        ),
      );
  });
  return {};
}

/** Throws when one of the notifications does not belong to the caller. */
async function lockMyNotifications(ctx: UserContext, ids: number[]): Promise<void> {
  const rows = await ctx.db
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(isMyNotification(ctx), inArray(notifications.id, ids)))
    .orderBy(notifications.id)
    .for('update');
  if (rows.length < new Set(ids).size) throw httpErrors.notFound('消息不存在');
}

export async function removeNotifications(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    await lockMyNotifications(ctx, ids);
    await ctx.db.delete(notifications).where(inArray(notifications.id, ids));
  });
  return {};
}

export async function listNotificationSettings(ctx: UserContext) {
  const rows = await ctx.db.select().from(notificationSettings).where(eq(notificationSettings.user_id, ctx.user.id));
  return {
    setting: notificationKindNames.map((kind) => {
      const { title, mail } = notificationKinds[kind];
      const setting = rows.find((row) => row.kind === kind);
      return { kind, title, site: setting?.site ?? true, mail: setting?.mail ?? mail };
    }),
  };
}

export async function updateNotificationSetting(
  ctx: UserContext,
  { kind, site, mail }: ParsedInputOf<typeof notificationApi.updateSetting>,
) {
  if (site === undefined && mail === undefined) return {};
  await ctx.db
    .insert(notificationSettings)
    .values({
      user_id: ctx.user.id,
      kind,
      site: site ?? true,
      mail: mail ?? notificationKinds[kind].mail,
    })
    .onConflictDoUpdate({
      target: [notificationSettings.user_id, notificationSettings.kind],
      set: { ...(site !== undefined && { site }), ...(mail !== undefined && { mail }) },
    });
  return {};
}
