import { inArray } from 'drizzle-orm';
import { recordAudit, targetOf } from '#modules/audit/audit.ts';
import { shareTree } from '#modules/category/category.ts';
import { award } from '#modules/credit/credit.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { can, type UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { binKey } from '../delete-documents.ts';
import { documentErrors } from '../document.contract.ts';
import { type DocumentRow, documents } from '../document.table.ts';
import { lockDocuments, lockOwners } from '../lock-documents.ts';

const DAY_MS = 86_400_000;

/** Brings documents back with all that belongs to them, beans included: all of them or none. */
export async function restoreDocuments(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inRetriedTransaction(ctx, async (ctx) => {
    await shareTree(ctx);
    const rows = await lockDeleted(ctx, ids);
    await requireMayRestore(ctx, rows);
    await lockOwners(ctx, rows);
    const found = rows.map(({ id }) => id);
    await ctx.db
      .update(documents)
      .set({ deleted_at: null, deleted_user_id: null, penalty: 0 })
      .where(inArray(documents.id, found));
    for (const { id, title, user_id, penalty, deletions } of rows)
      await award(ctx, user_id, penalty, {
        key: binKey('restore', id, deletions),
        reason: 'delete_document',
        reference: `document:${id}`,
        note: title,
      });
    const others = rows.filter(({ user_id }) => user_id !== ctx.user.id);
    if (others.length > 0)
      await recordAudit(ctx, {
        action: '恢复回收站文档',
        target: targetOf(
          '文档',
          others.map(({ id, title }) => ({ id, name: title })),
        ),
        after: { restored: others.length },
      });
  });
  return {};
}

/** Documents in the recycle bin, all of which must be there. */
async function lockDeleted(ctx: UserContext, ids: number[]): Promise<DocumentRow[]> {
  const rows = (await lockDocuments(ctx, ids)).filter(({ deleted_at }) => deleted_at !== null);
  if (rows.length < new Set(ids).size) throw documentErrors.notFound();
  return rows;
}

/** What an administrator has removed, its owner cannot bring back. */
async function requireMayRestore(ctx: UserContext, rows: DocumentRow[]): Promise<void> {
  if (can(ctx, 'RecycleAPI/RecoverRecycleDocument')) return;
  const { id } = ctx.user;
  const isOwn = (row: DocumentRow) => row.user_id === id && row.deleted_user_id === id;
  if (!rows.every(isOwn)) throw documentErrors.forbidden();
  const oldest = await oldestInBin(ctx);
  if (rows.some(({ deleted_at }) => oldest !== null && (deleted_at ?? '') < oldest))
    throw documentErrors.restoreExpired();
}

/** What was deleted before this time has had its time; null when everything is kept. */
export async function oldestInBin(ctx: UserContext | Parameters<typeof getSettings>[0]) {
  const { recycle_days } = (await getSettings(ctx)).security;
  if (recycle_days === 0) return null;
  return new Date(ctx.now().getTime() - recycle_days * DAY_MS).toISOString();
}
