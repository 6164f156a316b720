import { inArray, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { notifications } from './notification.table.ts';

/** Deletes notifications whose event was undone, so that the digest does not mail them either. */
export async function retractNotifications(ctx: Context, keys: string[]): Promise<void> {
  if (keys.length > 0) await ctx.db.delete(notifications).where(inArray(notifications.key, keys));
}

/** Shows an edited comment with its new text. */
export async function updateExcerpt(ctx: Context, key: string, excerpt: string): Promise<void> {
  await ctx.db
    .update(notifications)
    .set({ payload: sql`${notifications.payload} || ${JSON.stringify({ excerpt })}::jsonb` })
    .where(inArray(notifications.key, [key]));
}
