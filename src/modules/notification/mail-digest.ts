import { and, eq, inArray, isNull, lt, ne, not, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { users } from '#modules/account/account.table.ts';
import { enqueueMail } from '#modules/mail/mail.ts';
import { isBannedNow } from '#modules/role/authority.ts';
import { getSettings, hasMailServer } from '#modules/settings/settings.ts';
import { siteAddress } from '#modules/settings/site-address.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { type NotificationKind, notificationKinds } from './notification.contract.ts';
import { notificationSettings, notifications } from './notification.table.ts';
import { describeNotification } from './notification.ts';

/** Older notifications are not mailed, for example when mails are enabled much later. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** Notifications are deleted after this time, read or unread. */
const RETENTION_MS = 180 * 24 * 60 * 60 * 1000;
const MAX_LISTED_NOTIFICATIONS = 20;
const USERS_PER_BATCH = 200;

/** Sends each user one mail with all unread notifications that were not mailed yet. */
export const sendMailDigest = defineJob({
  name: 'mail-digest',
  input: z.object({}),
  run: async (ctx: Context, _, { signal }) => {
    if (!(await hasMailServer(ctx))) return;
    let lastUserId = 0;
    while (!signal.aborted) {
      const usersWithUnread = await ctx.db
        .selectDistinct({ id: notifications.user_id })
        .from(notifications)
        .where(and(isUnreadAndUnmailed, sql`${notifications.user_id} > ${lastUserId}`))
        .orderBy(notifications.user_id)
        .limit(USERS_PER_BATCH);
      for (const { id } of usersWithUnread) await inTransaction(ctx, (ctx) => mailDigestTo(ctx, id));
      const lastUser = usersWithUnread.at(-1);
      if (!lastUser) return;
      lastUserId = lastUser.id;
    }
  },
});

const isUnreadAndUnmailed = and(isNull(notifications.read_at), isNull(notifications.mailed_at));

/** Marks the notifications as mailed first, so that two workers do not mail the same ones. */
async function mailDigestTo(ctx: Context, userId: number): Promise<void> {
  const now = ctx.now();
  const claimedNotifications = await ctx.db
    .update(notifications)
    .set({ mailed_at: now.toISOString() })
    .where(and(eq(notifications.user_id, userId), isUnreadAndUnmailed))
    .returning();
  const mailedKinds = await kindsSentByMail(ctx, userId);
  const since = new Date(now.getTime() - MAX_AGE_MS).toISOString();
  const newNotifications = claimedNotifications
    .filter(({ kind, created_at }) => mailedKinds.has(kind) && created_at >= since)
    .sort((a, b) => b.id - a.id);
  const [recipient] = await ctx.db
    .select({ username: users.username, email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), ne(users.email, ''), not(isBannedNow(now))));
  if (newNotifications.length === 0 || !recipient) return;
  const { sitename } = (await getSettings(ctx)).system;
  const address = await siteAddress(ctx);
  const sentences = await formatNotificationTexts(ctx, newNotifications.slice(0, MAX_LISTED_NOTIFICATIONS));
  await enqueueMail(ctx, {
    to: recipient.email,
    subject: `您有 ${newNotifications.length} 条新消息 - ${sitename}`,
    paragraphs: [
      `${recipient.username}，您好：`,
      `您在${sitename}有 ${newNotifications.length} 条未读的消息。`,
      ...sentences.map((sentence) => `· ${sentence}`),
      ...(newNotifications.length > MAX_LISTED_NOTIFICATIONS
        ? [`另有 ${newNotifications.length - MAX_LISTED_NOTIFICATIONS} 条。`]
        : []),
      `查看全部：${address}/notification`,
      `不想收到这样的邮件，可以在消息设置里关闭：${address}/notification?view=setting`,
    ],
  });
}

async function kindsSentByMail(ctx: Context, userId: number): Promise<Set<NotificationKind>> {
  const rows = await ctx.db.select().from(notificationSettings).where(eq(notificationSettings.user_id, userId));
  const kinds = Object.keys(notificationKinds) as NotificationKind[];
  return new Set(kinds.filter((kind) => rows.find((row) => row.kind === kind)?.mail ?? notificationKinds[kind].mail));
}

async function formatNotificationTexts(ctx: Context, rows: (typeof notifications.$inferSelect)[]) {
  const actorIds = rows.flatMap(({ actor_id }) => actor_id ?? []);
  const actors =
    actorIds.length > 0
      ? await ctx.db
          .select({ id: users.id, username: users.username, avatar: users.avatar })
          .from(users)
          .where(inArray(users.id, actorIds))
      : [];
  return rows.map((row) => {
    const actor = actors.find(({ id }) => id === row.actor_id);
    return describeNotification(ctx, row, actor ?? { id: 0, username: '', avatar: '' }).content;
  });
}

export const deleteOldNotifications = defineJob({
  name: 'delete-old-notifications',
  input: z.object({}),
  run: async (ctx: Context) => {
    const oldest = new Date(ctx.now().getTime() - RETENTION_MS).toISOString();
    await ctx.db.delete(notifications).where(lt(notifications.created_at, oldest));
  },
});
