import { and, eq, gt, isNull, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import { award, charge } from '#modules/credit/credit.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { documentStatus } from './document.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { lockDocuments, lockOwners } from './lock-documents.ts';

const BATCH_SIZE = 200;

type Settlement = {
  where: SQL | undefined;
  isDue: (row: DocumentRow) => boolean;
  settle: (ctx: Context, row: DocumentRow, balance: number) => Promise<number>;
};

const eventOf = (event: 'failed' | 'readable', { id, title, retractions }: DocumentRow) => ({
  key: `upload:${event}:${id}:${retractions}`,
  reason: 'upload_document' as const,
  reference: `document:${id}`,
  note: event === 'failed' ? `转换失败：${title}` : title,
});

/** Takes back the award as far as the balance allows. A penalty paid for deletion counts as returned. */
const retraction: Settlement = {
  where: and(eq(documents.status, documentStatus.failed), gt(documents.award, 0)),
  isDue: (row) => row.status === documentStatus.failed && row.award > 0,
  settle: async (ctx, row, balance) => {
    const next = { ...row, retractions: row.retractions + 1 };
    const amount = Math.min(row.award - row.penalty, balance);
    const chargedAmount = await charge(ctx, row.user_id, amount, eventOf('failed', next));
    await ctx.db
      .update(documents)
      .set({
        award: 0,
        penalty: 0,
        retracted_award: chargedAmount + row.penalty,
        retractions: next.retractions,
      })
      .where(eq(documents.id, row.id));
    return -chargedAmount;
  },
};

/** Returns the retracted award once the document becomes readable. */
const restitution: Settlement = {
  where: and(
    eq(documents.status, documentStatus.converted),
    gt(documents.retracted_award, 0),
    isNull(documents.deleted_at),
  ),
  isDue: (row) => row.status === documentStatus.converted && row.retracted_award > 0 && row.deleted_at === null,
  settle: async (ctx, row) => {
    const returned = await award(ctx, row.user_id, row.retracted_award, eventOf('readable', row));
    await ctx.db.update(documents).set({ award: returned, retracted_award: 0 }).where(eq(documents.id, row.id));
    return returned;
  },
};

async function settleBatch(ctx: Context, { where, isDue, settle }: Settlement): Promise<number> {
  const due = await ctx.db
    .select({ id: documents.id })
    .from(documents)
    .where(where)
    .orderBy(documents.id)
    .limit(BATCH_SIZE);
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

/** Uploads keep their award only while they are readable. */
export const settleUploadAwards = defineJob({
  name: 'settle-upload-awards',
  input: z.object({}),
  run: async (ctx: Context, _input, { signal }) => {
    for (const settlement of [retraction, restitution])
      while (!signal.aborted && (await settleBatch(ctx, settlement)) === BATCH_SIZE);
  },
});
