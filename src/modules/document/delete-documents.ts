import { sql } from 'drizzle-orm';
import { recordActivity } from '#modules/activity/activity.ts';
import { recordRemoval } from '#modules/audit/audit.ts';
import { shareTree } from '#modules/category/category.ts';
import { charge } from '#modules/credit/credit.ts';
import { notify } from '#modules/notification/notify.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { lockManageableDocuments, lockOwners } from './lock-documents.ts';

/**
 * Moves documents to the recycle bin: all of them or none. Only owners pay for it; others' owners are
 * told, with the reason if there is one.
 */
export async function deleteDocuments(ctx: UserContext, { id: ids, reason = '' }: { id: number[]; reason?: string }) {
  await inRetriedTransaction(ctx, async (ctx) => {
    await shareTree(ctx);
    const rows = await lockManageableDocuments(ctx, 'DocumentAPI/DeleteDocument', ids);
    const own = rows.filter(({ user_id }) => user_id === ctx.user.id);
    const penalties = await penaltiesOf(ctx, rows, own);
    await moveToBin(
      ctx,
      rows.map(({ id }) => ({ id, penalty: penalties.get(id) ?? 0 })),
    );
    for (const row of own) await settle(ctx, row, penalties.get(row.id) ?? 0);
    const others = rows.filter((row) => !own.includes(row));
    for (const { id, title, user_id, deletions } of others)
      await notify(ctx, {
        userId: user_id,
        actorId: null,
        kind: 'review',
        key: binKey('delete', id, deletions + 1),
        payload: { document: { id, title }, decision: '已被删除', reason, isGone: true },
      });
    if (others.length > 0)
      await recordRemoval(
        ctx,
        { action: '删除文档', kind: '文档', ids: others.map(({ id }) => id) },
        others.map(({ id, title, user_id, status }) => ({
          id,
          name: title,
          values: { title, user_id, status },
        })),
      );
  });
  return {};
}

/** At most what the upload brought, and never more than the owner has. */
async function penaltiesOf(ctx: UserContext, rows: DocumentRow[], own: DocumentRow[]) {
  const { score } = await getSettings(ctx);
  let balance = (await lockOwners(ctx, rows)).get(ctx.user.id) ?? 0;
  return new Map(
    own.map(({ id, award }) => {
      const penalty = Math.min(score.delete_document, award, balance);
      balance -= penalty;
      return [id, penalty];
    }),
  );
}

const moveToBin = (ctx: UserContext, rows: { id: number; penalty: number }[]) =>
  ctx.db.execute(sql`
    update ${documents} set
      deleted_at = ${ctx.now().toISOString()}, deleted_user_id = ${ctx.user.id},
      deletions = ${documents.deletions} + 1, penalty = moved.penalty
    from unnest(${sql.param(rows.map(({ id }) => id))}::bigint[],
                ${sql.param(rows.map(({ penalty }) => penalty))}::bigint[]) moved (id, penalty)
    where ${documents.id} = moved.id`);

/** Each time in the bin is an event of its own, so that it is paid and returned once. */
export const binKey = (happening: 'delete' | 'restore', id: number, deletions: number) =>
  `document:${happening}:${id}:${deletions}`;

async function settle(ctx: Context, row: DocumentRow, penalty: number): Promise<void> {
  const { id, title, user_id } = row;
  await charge(ctx, user_id, penalty, {
    key: binKey('delete', id, row.deletions + 1),
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
