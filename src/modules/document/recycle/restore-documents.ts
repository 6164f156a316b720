import { inArray } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import { lockCategoryTreeShared } from '#modules/category/category.ts';
import { awardCredit } from '#modules/credit/credit.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { hasPermission, type UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { recycleEventKey } from '../delete-documents.ts';
import { documentErrors } from '../document.contract.ts';
import { type DocumentRow, documentSuccessors, documents } from '../document.table.ts';
import { recordDocumentEvents } from '../document-events.ts';
import { lockDocuments, lockOwnerBalances } from '../lock-documents.ts';

const DAY_MS = 86_400_000;

/** Restores all documents or none, and refunds the penalties. */
export async function restoreDocuments(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inRetriedTransaction(ctx, async (ctx) => {
    await lockCategoryTreeShared(ctx);
    const rows = await lockDeleted(ctx, ids);
    await assertCanRestore(ctx, rows);
    await lockOwnerBalances(ctx, rows);
    const restoredIds = rows.map(({ id }) => id);
    await ctx.db
      .update(documents)
      .set({ deleted_at: null, deleted_user_id: null, penalty: 0 })
      .where(inArray(documents.id, restoredIds));
    // The address of a merged document leads to the document itself again.
    await ctx.db.delete(documentSuccessors).where(inArray(documentSuccessors.document_id, restoredIds));
    await recordDocumentEvents(ctx, 'restored', restoredIds);
    for (const { id, title, user_id, penalty, deletions } of rows)
      await awardCredit(ctx, user_id, penalty, {
        key: recycleEventKey('restore', id, deletions),
        reason: 'delete_document',
        reference: `document:${id}`,
        note: title,
      });
    const otherRows = rows.filter(({ user_id }) => user_id !== ctx.user.id);
    if (otherRows.length > 0)
      await recordAudit(ctx, {
        action: '恢复回收站文档',
        target: auditTarget(
          '文档',
          otherRows.map(({ id, title }) => ({ id, name: title })),
        ),
        after: { restored: otherRows.length },
      });
  });
  return {};
}

/** Fails unless all documents are in the recycle bin. */
async function lockDeleted(ctx: UserContext, ids: number[]): Promise<DocumentRow[]> {
  const rows = (await lockDocuments(ctx, ids)).filter(({ deleted_at }) => deleted_at !== null);
  if (rows.length < new Set(ids).size) throw documentErrors.notFound();
  return rows;
}

/** Owners cannot restore documents that an administrator deleted. */
async function assertCanRestore(ctx: UserContext, rows: DocumentRow[]): Promise<void> {
  if (hasPermission(ctx, 'RecycleAPI/RecoverRecycleDocument')) return;
  const { id } = ctx.user;
  const isDeletedByOwner = (row: DocumentRow) => row.user_id === id && row.deleted_user_id === id;
  if (!rows.every(isDeletedByOwner)) throw documentErrors.forbidden();
  const cutoff = await recycleCutoff(ctx);
  if (rows.some(({ deleted_at }) => cutoff !== null && (deleted_at ?? '') < cutoff))
    throw documentErrors.restoreExpired();
}

/** Documents deleted before this time have passed the retention time; null if there is no limit. */
export async function recycleCutoff(ctx: UserContext | Parameters<typeof getSettings>[0]) {
  const { recycle_days } = (await getSettings(ctx)).security;
  if (recycle_days === 0) return null;
  return new Date(ctx.now().getTime() - recycle_days * DAY_MS).toISOString();
}
