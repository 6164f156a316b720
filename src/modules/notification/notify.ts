import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { notificationSettings, notifications } from './notification.table.ts';
import type { NewNotification } from './notification-kinds.ts';

/**
 * Notifies a user of an event, once per key, unless the user disabled this kind or caused the event. Call it in the
 * transaction of the event.
 */
export async function notify(ctx: Context, { userId, actorId, kind, key, payload }: NewNotification): Promise<void> {
  if (userId === (actorId ?? ctx.user?.id)) return;
  await ctx.db.execute(sql`
    insert into ${notifications} (user_id, kind, key, actor_id, payload, created_at)
    select ${userId}::bigint, ${kind}::text, ${key}::text, ${actorId}::bigint,
      ${JSON.stringify(payload)}::jsonb, ${ctx.now().toISOString()}::timestamptz
    where not exists (
      select 1 from ${notificationSettings} s
      where s.user_id = ${userId} and s.kind = ${kind} and not s.site)
    on conflict (user_id, key) do nothing`);
}
