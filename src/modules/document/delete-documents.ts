import { sql } from 'drizzle-orm';
import { recordActivity } from '#modules/activity/activity.ts';
import { recordRemoval } from '#modules/audit/audit.ts';
import { lockCategoryTreeShared } from '#modules/category/category.ts';
import { chargeCredit } from '#modules/credit/credit.ts';
import { notify } from '#modules/notification/notify.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { recordDocumentEvents } from './document-events.ts';
import { lockManageableDocuments, lockOwnerBalances } from './lock-documents.ts';

type Deletion = { id: number[]; reason?: string };
/** Writes the audit log; gets the documents of other users. */
type RecordDeletion = (ctx: UserContext, rows: readonly DocumentRow[]) => Promise<void>;

export async function deleteDocuments(ctx: UserContext, deletion: Deletion) {
  await moveDocumentsToRecycleBin(ctx, deletion, async (ctx, rows) => {
    if (rows.length === 0) return;
    await recordRemoval(
      ctx,
      { action: '删除文档', kind: '文档', ids: rows.map(({ id }) => id) },
      rows.map(({ id, title, user_id, status }) => ({ id, name: title, values: { title, user_id, status } })),
    );
  });
  return {};
}

/**
 * Moves all documents to the recycle bin or none. Owners pay a penalty for their own documents; owners of other
 * documents are notified with the reason.
 */
export const moveDocumentsToRecycleBin = (
  ctx: UserContext,
  { id: ids, reason = '' }: Deletion,
  recordDeletion: RecordDeletion,
): Promise<void> =>
  inRetriedTransaction(ctx, async (ctx) => {
    await lockCategoryTreeShared(ctx);
    const rows = await lockManageableDocuments(ctx, 'DocumentAPI/DeleteDocument', ids);
    const myRows = rows.filter(({ user_id }) => user_id === ctx.user.id);
    const penalties = await computeDeletionPenalties(ctx, rows, myRows);
    await markAsDeleted(
      ctx,
      rows.map(({ id }) => ({ id, penalty: penalties.get(id) ?? 0 })),
    );
    await recordDocumentEvents(
      ctx,
      'deleted',
      rows.map(({ id }) => id),
    );
    for (const row of myRows) await chargePenalty(ctx, row, penalties.get(row.id) ?? 0);
    const otherRows = rows.filter((row) => !myRows.includes(row));
    for (const { id, title, user_id, deletions } of otherRows)
      await notify(ctx, {
        userId: user_id,
        actorId: null,
        kind: 'review',
        key: recycleEventKey('delete', id, deletions + 1),
        payload: { document: { id, title }, decision: '已被删除', reason, isGone: true },
      });
    await recordDeletion(ctx, otherRows);
  });

/** Limited to the upload award and to the owner's balance. */
async function computeDeletionPenalties(ctx: UserContext, rows: DocumentRow[], myRows: DocumentRow[]) {
  const { score } = await getSettings(ctx);
  let balance = (await lockOwnerBalances(ctx, rows)).get(ctx.user.id) ?? 0;
  return new Map(
    myRows.map(({ id, award }) => {
      const penalty = Math.min(score.delete_document, award, balance);
      balance -= penalty;
      return [id, penalty];
    }),
  );
}

const markAsDeleted = (ctx: UserContext, rows: { id: number; penalty: number }[]) =>
  ctx.db.execute(sql`
    update ${documents} set
      deleted_at = ${ctx.now().toISOString()}, deleted_user_id = ${ctx.user.id},
      deletions = ${documents.deletions} + 1, penalty = penalties.penalty
    from unnest(${sql.param(rows.map(({ id }) => id))}::bigint[],
                ${sql.param(rows.map(({ penalty }) => penalty))}::bigint[]) penalties (id, penalty)
    where ${documents.id} = penalties.id`);

/** One key per deletion, so that each penalty is charged and returned once. */
export const recycleEventKey = (event: 'delete' | 'restore', id: number, deletions: number) =>
  `document:${event}:${id}:${deletions}`;

async function chargePenalty(ctx: Context, row: DocumentRow, penalty: number): Promise<void> {
  const { id, title, user_id } = row;
  await chargeCredit(ctx, user_id, penalty, {
    key: recycleEventKey('delete', id, row.deletions + 1),
    reason: 'delete_document',
    reference: `document:${id}`,
    note: title,
  });
  await recordActivity(ctx, {
    userId: user_id,
    type: 'delete_document',
    payload: { document: { id, title }, penalty },
  });
}
