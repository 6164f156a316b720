import { and, eq, gt, inArray, isNull, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import { updateUploadAward } from '#modules/activity/activity.ts';
import { awardDaily, releaseDailySlot } from '#modules/credit/award-daily.ts';
import { awardCredit, type CreditEvent, chargeCredit } from '#modules/credit/credit.ts';
import { siteDay } from '#modules/credit/site-day.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { documentStatus } from './document.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { lockDocuments, lockOwners } from './lock-documents.ts';

const BATCH_SIZE = 200;
const REASON = 'upload_document';

type Settlement = {
  where: SQL | undefined;
  isDue: (row: DocumentRow) => boolean;
  settle: (ctx: Context, row: DocumentRow, balance: number) => Promise<number>;
};

const eventOf = (event: 'failed' | 'readable', { id, title, retractions }: DocumentRow): CreditEvent => ({
  key: `upload:${event}:${id}:${retractions}`,
  reason: REASON,
  reference: `document:${id}`,
  note: event === 'failed' ? `转换失败：${title}` : title,
});

/**
 * Lets another upload of the same day earn instead. An award that was spent in part keeps its slot, else failing
 * uploads would earn without a limit. A later failure keeps it too, because `award` is then only the part that was
 * returned. A day that is over needs no slot.
 */
async function releaseSlot(ctx: Context, row: DocumentRow, retractedAward: number): Promise<boolean> {
  if (retractedAward < row.award || row.retractions > 0 || row.published_at === null) return false;
  const day = await siteDay(ctx);
  if ((await siteDay(ctx, new Date(row.published_at))) !== day) return false;
  await releaseDailySlot(ctx, { user_id: row.user_id, reason: REASON, day });
  return true;
}

/** A document that released its slot needs a free one of the day on which it becomes readable. */
async function returnAward(ctx: Context, row: DocumentRow): Promise<number> {
  const event = eventOf('readable', row);
  if (!row.award_slot_released) return awardCredit(ctx, row.user_id, row.retracted_award, event);
  const { score } = await getSettings(ctx);
  return awardDaily(ctx, row.user_id, row.retracted_award, { ...event, limit: score.upload_document_limit });
}

async function updateAward(ctx: Context, id: number, values: Partial<DocumentRow> & { award: number }): Promise<void> {
  await ctx.db.update(documents).set(values).where(eq(documents.id, id));
  await updateUploadAward(ctx, id, values.award);
}

/** Takes back the award as far as the balance allows. A penalty paid for deletion counts as returned. */
const retraction: Settlement = {
  where: and(eq(documents.status, documentStatus.failed), gt(documents.award, 0)),
  isDue: (row) => row.status === documentStatus.failed && row.award > 0,
  settle: async (ctx, row, balance) => {
    const next = { ...row, retractions: row.retractions + 1 };
    const amount = Math.min(row.award - row.penalty, balance);
    const chargedAmount = await chargeCredit(ctx, row.user_id, amount, eventOf('failed', next));
    const retracted_award = chargedAmount + row.penalty;
    await updateAward(ctx, row.id, {
      award: 0,
      penalty: 0,
      retracted_award,
      retractions: next.retractions,
      award_slot_released: await releaseSlot(ctx, row, retracted_award),
    });
    return -chargedAmount;
  },
};

/** Returns the retracted award once the document becomes readable. Without a free slot the award is lost. */
const restitution: Settlement = {
  where: and(
    eq(documents.status, documentStatus.converted),
    gt(documents.retracted_award, 0),
    isNull(documents.deleted_at),
  ),
  isDue: (row) => row.status === documentStatus.converted && row.retracted_award > 0 && row.deleted_at === null,
  settle: async (ctx, row) => {
    const returnedAward = await returnAward(ctx, row);
    await updateAward(ctx, row.id, { award: returnedAward, retracted_award: 0, award_slot_released: false });
    return returnedAward;
  },
};

async function settleBatch(ctx: Context, { where, isDue, settle }: Settlement): Promise<number> {
  const due = await ctx.db
    .select({ id: documents.id })
    .from(documents)
    .where(where)
    .orderBy(documents.id)
    .limit(BATCH_SIZE);
  if (due.length === 0) return 0;
  await inRetriedTransaction(ctx, async (ctx) => {
    const rows = (
      await lockDocuments(
        ctx,
        due.map(({ id }) => id),
      )
    ).filter(isDue);
    const balances = await lockOwners(ctx, rows);
    for (const row of rows) {
      const balance = balances.get(row.user_id) ?? 0;
      balances.set(row.user_id, balance + (await settle(ctx, row, balance)));
    }
  });
  return due.length;
}

/** Call before awarding an upload of these users, so that their failed uploads do not use up the limit of the day. */
export async function retractFailedAwards(ctx: Context, ownerIds: number[]): Promise<void> {
  const where = and(retraction.where, inArray(documents.user_id, ownerIds));
  while ((await settleBatch(ctx, { ...retraction, where })) === BATCH_SIZE);
}

/** The same for the owners of documents that are about to be published. */
export async function retractFailedAwardsOfOwners(ctx: Context, documentIds: number[]): Promise<void> {
  const owners = await ctx.db
    .selectDistinct({ id: documents.user_id })
    .from(documents)
    .where(inArray(documents.id, documentIds));
  await retractFailedAwards(
    ctx,
    owners.map(({ id }) => id),
  );
}

/** Uploads keep their award only while they are readable. */
export const settleUploadAwards = defineJob({
  name: 'settle-upload-awards',
  input: z.object({}),
  run: async (ctx: Context, _input, { signal }) => {
    for (const settlement of [retraction, restitution])
      while (!signal.aborted && (await settleBatch(ctx, settlement)) === BATCH_SIZE);
  },
});
