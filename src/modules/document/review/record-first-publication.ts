import { eq } from 'drizzle-orm';
import { recordActivity } from '#modules/activity/activity.ts';
import type { Context } from '#platform/server/context.ts';
import { type DocumentRow, documents } from '../document.table.ts';

/** Called once per document: adds a feed entry. The owner is rewarded when the conversion is complete. */
export async function recordFirstPublication(
  ctx: Context,
  { id, title, user_id }: Pick<DocumentRow, 'id' | 'title' | 'user_id'>,
): Promise<void> {
  await ctx.db.update(documents).set({ published_at: ctx.now().toISOString() }).where(eq(documents.id, id));
  await recordActivity(ctx, {
    userId: user_id,
    type: 'upload',
    payload: { document: { id, title }, award: 0 },
  });
}
