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

/** Older news is none any more, as when mails were switched on a year later. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** They are kept this long, read or not. */
const RETENTION_MS = 180 * 24 * 60 * 60 * 1000;
const MAX_LISTED_NOTIFICATIONS = 20;
const USERS_PER_BATCH = 200;

/** What has not been read since yesterday, in one mail for each person who wants it. */
export const mailDigest = defineJob({
  name: 'mail-digest',
  input: z.object({}),
  run: async (ctx: Context, _, { signal }) => {
    if (!(await hasMailServer(ctx))) return;
    let after = 0;
    while (!signal.aborted) {
      const people = await ctx.db
        .selectDistinct({ id: notifications.user_id })
        .from(notifications)
        .where(and(isUnreadAndUnmailed, sql`${notifications.user_id} > ${after}`))
        .orderBy(notifications.user_id)
        .limit(USERS_PER_BATCH);
      for (const { id } of people) await inTransaction(ctx, (ctx) => mailDigestTo(ctx, id));
      const last = people.at(-1);
      if (!last) return;
      after = last.id;
    }
  },
});

const isUnreadAndUnmailed = and(isNull(notifications.read_at), isNull(notifications.mailed_at));

/** Claims what is new, so that two workers never mail the same. */
async function mailDigestTo(ctx: Context, userId: number): Promise<void> {
  const now = ctx.now();
  const claimed = await ctx.db
    .update(notifications)
    .set({ mailed_at: now.toISOString() })
    .where(and(eq(notifications.user_id, userId), isUnreadAndUnmailed))
    .returning();
  const wanted = await kindsSentByMail(ctx, userId);
  const since = new Date(now.getTime() - MAX_AGE_MS).toISOString();
  const news = claimed
    .filter(({ kind, created_at }) => wanted.has(kind) && created_at >= since)
    .sort((one, other) => other.id - one.id);
  const [person] = await ctx.db
    .select({ username: users.username, email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), ne(users.email, ''), not(isBannedNow(now))));
  if (news.length === 0 || !person) return;
  const { sitename } = (await getSettings(ctx)).system;
  const address = await siteAddress(ctx);
  const sentences = await describeAll(ctx, news.slice(0, MAX_LISTED_NOTIFICATIONS));
  await enqueueMail(ctx, {
    to: person.email,
    subject: `您有 ${news.length} 条新消息 - ${sitename}`,
    paragraphs: [
      `${person.username}，您好：`,
      `您在${sitename}有 ${news.length} 条未读的消息。`,
      ...sentences.map((sentence) => `· ${sentence}`),
      ...(news.length > MAX_LISTED_NOTIFICATIONS ? [`另有 ${news.length - MAX_LISTED_NOTIFICATIONS} 条。`] : []),
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

async function describeAll(ctx: Context, rows: (typeof notifications.$inferSelect)[]) {
  const actorIds = rows.flatMap(({ actor_id }) => actor_id ?? []);
  const people =
    actorIds.length > 0
      ? await ctx.db
          .select({ id: users.id, username: users.username, avatar: users.avatar })
          .from(users)
          .where(inArray(users.id, actorIds))
      : [];
  return rows.map((row) => {
    const actor = people.find(({ id }) => id === row.actor_id);
    return describeNotification(ctx, row, actor ?? { id: 0, username: '', avatar: '' }).content;
  });
}

/** What was told long ago makes room. */
export const deleteOldNotifications = defineJob({
  name: 'forget-notifications',
  input: z.object({}),
  run: async (ctx: Context) => {
    const oldest = new Date(ctx.now().getTime() - RETENTION_MS).toISOString();
    await ctx.db.delete(notifications).where(lt(notifications.created_at, oldest));
  },
});
