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
import { lockDocuments } from '../lock-documents.ts';
import { noteRenditionsReleased } from '../release-renditions.ts';
import { eraseRemovedFiles } from './erase-files.ts';
import { oldestInBin } from './restore-documents.ts';

const BATCH = 500;
/** What one request erases itself; the rest is left to a job. */
const BATCHES_AT_ONCE = 10;

/** Deletes documents of the recycle bin for good; their files follow when their time has come. */
async function eraseRows(ctx: Context, ids: number[]): Promise<DocumentRow[]> {
  await lockDocumentAttachments(ctx, ids);
  const rows = (await lockDocuments(ctx, ids)).filter(({ deleted_at }) => deleted_at !== null);
  const found = rows.map(({ id }) => id);
  if (found.length === 0) return [];
  await ctx.db.execute(sql`select lock_document_people(${sql.param(found)}::bigint[])`);
  await noteRenditionsReleased(ctx, rows);
  await ctx.db.delete(documents).where(inArray(documents.id, found));
  await deleteDocumentAttachments(ctx, found);
  const { security } = await getSettings(ctx);
  if (security.attachment_retention_minute === 0)
    await ctx.jobs.send(eraseRemovedFiles, {}, { db: ctx.db, key: 'now' });
  return rows;
}

/** All of them or, when one is not in the recycle bin, none. */
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

/** Erases what was deleted up to that time, batch by batch. Says how many, and whether that was all. */
async function eraseUntil(
  ctx: Context,
  until: string,
  { batches = Number.POSITIVE_INFINITY, signal }: { batches?: number; signal?: AbortSignal } = {},
) {
  let erased = 0;
  for (let batch = 0; batch < batches && !signal?.aborted; batch += 1) {
    const oldest = await ctx.db
      .select({ id: documents.id })
      .from(documents)
      .where(and(isNotNull(documents.deleted_at), lte(documents.deleted_at, until)))
      .orderBy(asc(documents.deleted_at), asc(documents.id))
      .limit(BATCH);
    if (oldest.length === 0) return { erased, isDone: true };
    const ids = oldest.map(({ id }) => id);
    erased += (await inRetriedTransaction(ctx, (ctx) => eraseRows(ctx, ids))).length;
  }
  return { erased, isDone: false };
}

/** Empties the recycle bin of what lies in it now. */
export async function clearRecycle(ctx: UserContext) {
  const until = ctx.now().toISOString();
  const { erased, isDone } = await eraseUntil(ctx, until, { batches: BATCHES_AT_ONCE });
  if (!isDone) await ctx.jobs.send(emptyRecycle, { until }, { db: ctx.db, key: 'rest' });
  await recordAudit(ctx, {
    action: '清空回收站文档',
    target: '回收站',
    after: { erased, ...(!isDone && { rest: '由后台任务继续清除' }) },
  });
  return {};
}

/** What has lain in the recycle bin for its time, or until the time named. */
export const emptyRecycle = defineJob({
  name: 'empty-recycle',
  input: z.object({ until: z.optional(z.string()) }),
  run: async (ctx: Context, input, { signal }) => {
    const until = input.until ?? (await oldestInBin(ctx));
    if (until === null) return;
    const { erased } = await eraseUntil(ctx, until, { signal });
    if (erased > 0) ctx.log.info({ erased }, 'documents erased from the recycle bin');
  },
});
