import { inArray, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { notifications } from './notification.table.ts';

/** What was told is not so any more: nobody reads it later, and no mail tells it. */
export async function retractNotifications(ctx: Context, keys: string[]): Promise<void> {
  if (keys.length > 0) await ctx.db.delete(notifications).where(inArray(notifications.key, keys));
}

/** Those who were told read what is written now. */
export async function updateExcerpt(ctx: Context, key: string, excerpt: string): Promise<void> {
  await ctx.db
    .update(notifications)
    .set({ payload: sql`${notifications.payload} || ${JSON.stringify({ excerpt })}::jsonb` })
    .where(inArray(notifications.key, [key]));
}
