import { and, eq, gt, inArray, isNull } from 'drizzle-orm';
import * as z from 'zod/mini';
import { recordAudit } from '#modules/audit/audit.ts';
import { enqueueReconversion } from '#modules/conversion/enqueue-reconversion.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { documentErrors } from './document.contract.ts';
import { documents } from './document.table.ts';
import { recordDocumentEvents } from './document-events.ts';
import { isFullyRendered } from './document-states.ts';
import { lockExistingDocuments } from './lock-documents.ts';
import { lockRenditions } from './lock-renditions.ts';
import type { manageDocumentApi } from './manage.contract.ts';
import { auditTargetOf } from './recommend-and-categorize-documents.ts';

const BATCH_SIZE = 200;

/** Re-converts the given documents, or all failed ones. Documents of the same file share one conversion. */
export async function reconvertDocuments(
  ctx: UserContext,
  { id: ids }: ParsedInputOf<typeof manageDocumentApi.reconvert>,
) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const rows = ids ? await markForReconversion(ctx, ids) : [];
    if (ids) await enqueueReconversion(ctx, renditionIdsOf(rows));
    // A job, because there may be more than a request can process.
    else await ctx.jobs.send(reconvertFailed, {}, { db: ctx.db, key: 'all' });
    await recordAudit(ctx, {
      action: ids ? '重新转换文档' : '一键重转失败文档',
      target: ids ? auditTargetOf(rows) : '全部转换失败的文档',
      ...(ids && { after: { reconverted: rows.length } }),
    });
  });
  return {};
}

const renditionIdsOf = (rows: { rendition_id: number | null }[]) => [
  ...new Set(rows.flatMap(({ rendition_id }) => rendition_id ?? [])),
];

/** Walks by id, so that renditions that fail again meanwhile are not queued twice. */
export const reconvertFailed = defineJob({
  name: 'reconvert-failed',
  input: z.object({}),
  timeoutSeconds: 3_600,
  run: async (ctx: Context, _input, { signal }) => {
    for (let last = 0; !signal.aborted; ) {
      const failedRenditions = await ctx.db
        .selectDistinct({ id: renditions.id })
        .from(renditions)
        .innerJoin(documents, eq(documents.rendition_id, renditions.id))
        .where(and(eq(renditions.state, 'failed'), gt(renditions.id, last), isNull(documents.deleted_at)))
        .orderBy(renditions.id)
        .limit(BATCH_SIZE);
      const ids = failedRenditions.map(({ id }) => id);
      await inRetriedTransaction(ctx, (ctx) => enqueueReconversion(ctx, ids));
      if (ids.length < BATCH_SIZE) return;
      last = ids.at(-1) ?? last;
    }
  },
});

/** Locks renditions before documents, like every change, then sets the document status. */
async function markForReconversion(ctx: Context, ids: number[]) {
  const renditionRows = await ctx.db
    .select({ rendition_id: documents.rendition_id })
    .from(documents)
    .where(inArray(documents.id, ids));
  const renditionIds = renditionRows.flatMap(({ rendition_id }) => rendition_id ?? []);
  const lockedRenditions = await lockRenditions(ctx, renditionIds, 'no key update');
  const rows = await lockExistingDocuments(ctx, ids);
  const unconvertedDocument = rows.find(({ rendition_id }) => rendition_id === null);
  if (unconvertedDocument) throw documentErrors.wrongStatus(`“${unconvertedDocument.title}”还没有通过审核，不能转换`);
  // Readable documents stay readable and keep their status.
  const unreadableDocuments = rows.filter(({ rendition_id }) => {
    const rendition = lockedRenditions.get(rendition_id ?? 0);
    return !rendition || !isFullyRendered(rendition);
  });
  const unreadableIds = unreadableDocuments.map(({ id }) => id);
  if (unreadableIds.length === 0) return rows;
  await ctx.db.update(documents).set({ conversion_state: 'reconverting' }).where(inArray(documents.id, unreadableIds));
  await recordDocumentEvents(ctx, 'conversion-state-changed', unreadableIds);
  return rows;
}
