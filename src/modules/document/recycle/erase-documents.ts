import { and, asc, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { deleteDocumentAttachments, lockDocumentAttachments } from '#modules/attachment/document-attachments.ts';
import { recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { documentErrors } from '../document.contract.ts';
import { type DocumentRow, documents } from '../document.table.ts';
import { recordDocumentEvents } from '../document-events.ts';
import { lockDocuments } from '../lock-documents.ts';
import { recordFilesForErasure } from '../record-files-for-erasure.ts';
import { eraseRemovedFiles } from './erase-expired-files.ts';
import { recycleCutoff } from './restore-documents.ts';

const BATCH_SIZE = 500;
/** Batches that a request erases itself; a job does the rest. */
const MAX_BATCHES_PER_REQUEST = 10;

/** Deletes rows permanently; their files are erased after the retention time. */
async function eraseRows(ctx: Context, ids: number[]): Promise<DocumentRow[]> {
  await lockDocumentAttachments(ctx, ids);
  const rows = (await lockDocuments(ctx, ids)).filter(({ deleted_at }) => deleted_at !== null);
  const erasedIds = rows.map(({ id }) => id);
  if (erasedIds.length === 0) return [];
  await ctx.db.execute(sql`select lock_users_of_documents(${sql.param(erasedIds)}::bigint[])`);
  await recordFilesForErasure(ctx, rows);
  await ctx.db.delete(documents).where(inArray(documents.id, erasedIds));
  await recordDocumentEvents(ctx, 'erased', erasedIds);
  await deleteDocumentAttachments(ctx, erasedIds);
  const { security } = await getSettings(ctx);
  if (security.attachment_retention_minute === 0)
    await ctx.jobs.send(eraseRemovedFiles, {}, { db: ctx.db, key: 'now' });
  return rows;
}

/** Erases all documents or, if one is not in the recycle bin, none. */
export async function eraseDocuments(ctx: UserContext, { id: ids }: { id: number[] }) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const rows = await eraseRows(ctx, ids);
    if (rows.length < new Set(ids).size) throw documentErrors.notFound();
    await recordRemoval(
      ctx,
      { action: '删除回收站文档', kind: '文档', ids },
      rows.map(({ id, title, user_id }) => ({ id, name: title, values: { title, user_id } })),
    );
  });
  return {};
}

/** Erases documents deleted up to `until` in batches. Returns the number and whether none is left. */
async function eraseDeletedUntil(
  ctx: Context,
  until: string,
  { batches = Number.POSITIVE_INFINITY, signal }: { batches?: number; signal?: AbortSignal } = {},
) {
  let erasedCount = 0;
  for (let batch = 0; batch < batches && !signal?.aborted; batch += 1) {
    const oldest = await ctx.db
      .select({ id: documents.id })
      .from(documents)
      .where(and(isNotNull(documents.deleted_at), lte(documents.deleted_at, until)))
      .orderBy(asc(documents.deleted_at), asc(documents.id))
      .limit(BATCH_SIZE);
    if (oldest.length === 0) return { erased: erasedCount, isDone: true };
    const ids = oldest.map(({ id }) => id);
    erasedCount += (await inRetriedTransaction(ctx, (ctx) => eraseRows(ctx, ids))).length;
  }
  return { erased: erasedCount, isDone: false };
}

/** Does not affect documents that are deleted later. */
export async function clearRecycle(ctx: UserContext) {
  const until = ctx.now().toISOString();
  const { erased, isDone } = await eraseDeletedUntil(ctx, until, { batches: MAX_BATCHES_PER_REQUEST });
  if (!isDone) await ctx.jobs.send(eraseExpiredDocuments, { until }, { db: ctx.db, key: 'rest' });
  await recordAudit(ctx, {
    action: '清空回收站文档',
    target: '回收站',
    after: { erased, ...(!isDone && { rest: '由后台任务继续清除' }) },
  });
  return {};
}

/** Erases documents after the retention time, or those deleted up to `until`. */
export const eraseExpiredDocuments = defineJob({
  name: 'empty-recycle-bin',
  input: z.object({ until: z.optional(z.string()) }),
  run: async (ctx: Context, input, { signal }) => {
    const until = input.until ?? (await recycleCutoff(ctx));
    if (until === null) return;
    const { erased } = await eraseDeletedUntil(ctx, until, { signal });
    if (erased > 0) ctx.log.info({ erased }, 'documents erased from the recycle bin');
  },
});
