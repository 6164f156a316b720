import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import * as z from 'zod/mini';
import { updateUploadAward } from '#modules/activity/activity.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { awardCreditWithDailyLimit } from '#modules/credit/award-credit-with-daily-limit.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { documentStatus } from './document.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { lockDocuments, lockOwnerBalances } from './lock-documents.ts';

const BATCH_SIZE = 200;

const isUnpaid = and(
  isNull(documents.award_settled_at),
  isNotNull(documents.published_at),
  isNull(documents.deleted_at),
  eq(documents.status, documentStatus.converted),
);

/** Also while a later conversion is waiting or has failed. */
const isCompletelyConverted = and(
  isNotNull(renditions.ready_at),
  gt(renditions.pages, 0),
  eq(renditions.ready_pages, renditions.pages),
);

/** Implemented by the near-copy module, which depends on this one. */
export type IsCopyOfOlderDocument = (
  ctx: Context,
  document: Pick<DocumentRow, 'id' | 'rendition_id'>,
) => Promise<boolean>;

async function payAward(ctx: Context, { id, user_id, title, published_at }: DocumentRow): Promise<void> {
  const { score } = await getSettings(ctx);
  const award = await awardCreditWithDailyLimit(ctx, user_id, score.upload_document, {
    limit: score.upload_document_limit,
    eventTime: published_at === null ? ctx.now() : new Date(published_at),
    key: `upload:ready:${id}`,
    reason: 'upload_document',
    reference: `document:${id}`,
    note: title,
  });
  await ctx.db.update(documents).set({ award, award_settled_at: ctx.now().toISOString() }).where(eq(documents.id, id));
  if (award > 0) await updateUploadAward(ctx, id, award);
}

const refuseAward = (ctx: Context, id: number) =>
  ctx.db.update(documents).set({ award: 0, award_settled_at: ctx.now().toISOString() }).where(eq(documents.id, id));

async function payBatch(ctx: Context, isCopyOfOlderDocument: IsCopyOfOlderDocument): Promise<number> {
  const unpaidDocuments = await ctx.db
    .select({ id: documents.id, rendition_id: documents.rendition_id })
    .from(documents)
    .innerJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(and(isUnpaid, isCompletelyConverted))
    .orderBy(documents.published_at, documents.id)
    .limit(BATCH_SIZE);
  const ids = unpaidDocuments.map(({ id }) => id);
  if (ids.length === 0) return 0;
  // Before the transaction, because reading a long text takes longer than rows should be locked.
  const [copyIds, failedIds] = [new Set<number>(), new Set<number>()];
  for (const document of unpaidDocuments)
    try {
      if (await isCopyOfOlderDocument(ctx, document)) copyIds.add(document.id);
    } catch (error) {
      // The next run compares it again; the awards of other uploads do not wait for it.
      ctx.log.warn({ err: error, document: document.id }, 'could not compare an upload with older documents');
      failedIds.add(document.id);
    }
  await inRetriedTransaction(ctx, async (ctx) => {
    const rows = await lockDocuments(ctx, ids);
    const unpaidRows = rows.filter(
      ({ id, award_settled_at, deleted_at, status }) =>
        !failedIds.has(id) && award_settled_at === null && deleted_at === null && status === documentStatus.converted,
    );
    await lockOwnerBalances(ctx, unpaidRows);
    for (const row of unpaidRows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)))
      await (copyIds.has(row.id) ? refuseAward(ctx, row.id) : payAward(ctx, row));
  });
  return ids.length - failedIds.size;
}

/**
 * Rewards the owners of uploads whose conversion is complete, earlier uploads first, up to the limit of the day of their
 * publication. Files that cannot be read, and near-copies of older documents, earn nothing.
 */
export const createUploadAwardsJob = (isCopyOfOlderDocument: IsCopyOfOlderDocument) =>
  defineJob({
    name: 'pay-upload-awards',
    input: z.object({}),
    run: async (ctx: Context, _input, { signal }) => {
      while (!signal.aborted && (await payBatch(ctx, isCopyOfOlderDocument)) === BATCH_SIZE);
    },
  });
