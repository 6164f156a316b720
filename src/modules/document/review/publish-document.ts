import { eq } from 'drizzle-orm';
import { recordActivity } from '#modules/activity/activity.ts';
import { awardDaily } from '#modules/credit/award-daily.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { type DocumentRow, documents } from '../document.table.ts';

/** Called once per document: rewards the owner and adds a feed entry. */
export async function publishDocument(
  ctx: Context,
  { id, title, user_id }: Pick<DocumentRow, 'id' | 'title' | 'user_id'>,
): Promise<void> {
  const { score } = await getSettings(ctx);
  const award = await awardDaily(ctx, user_id, score.upload_document, {
    limit: score.upload_document_limit,
    key: `upload:${id}`,
    reason: 'upload_document',
    reference: `document:${id}`,
    note: title,
  });
  await ctx.db.update(documents).set({ award, published_at: ctx.now().toISOString() }).where(eq(documents.id, id));
  await recordActivity(ctx, {
    userId: user_id,
    type: 'upload',
    payload: { document: { id, title }, award },
  });
}
