import { and, eq, gt, inArray, isNull } from 'drizzle-orm';
import * as z from 'zod/mini';
import { recordAudit } from '#modules/audit/audit.ts';
import { reconvert } from '#modules/conversion/reconvert.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { documentErrors, documentStatus } from './document.contract.ts';
import { documents } from './document.table.ts';
import { lockPresent } from './lock-documents.ts';
import type { manageDocumentApi } from './manage.contract.ts';
import { namesOf } from './manage-documents.ts';
import { isComplete, lockRenditions } from './rendition-status.ts';
import { publishedStatuses } from './status-groups.contract.ts';

const BATCH = 200;

/** Converts anew what is named, else whatever has failed. Equal files are converted once for all. */
export async function reconvertDocuments(
  ctx: UserContext,
  { id: ids }: ParsedInputOf<typeof manageDocumentApi.reconvert>,
) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const rows = ids ? await markNamed(ctx, ids) : [];
    if (ids) await reconvert(ctx, contentsOf(rows));
    // There may be very many of them: more than a request has time for.
    else await ctx.jobs.send(reconvertFailed, {}, { db: ctx.db, key: 'all' });
    await recordAudit(ctx, {
      action: ids ? '重新转换文档' : '一键重转失败文档',
      target: ids ? namesOf(rows) : '全部转换失败的文档',
      ...(ids && { after: { reconverted: rows.length } }),
    });
  });
  return {};
}

const contentsOf = (rows: { content_id: number | null }[]) => [
  ...new Set(rows.flatMap(({ content_id }) => content_id ?? [])),
];

/** Batch by batch, each of them waiting when it is done; those that fail meanwhile are not met again. */
export const reconvertFailed = defineJob({
  name: 'reconvert-failed',
  input: z.object({}),
  timeout: 3_600,
  run: async (ctx: Context, _input, { signal }) => {
    for (let last = 0; !signal.aborted; ) {
      const failed = await ctx.db
        .selectDistinct({ id: renditions.id })
        .from(renditions)
        .innerJoin(documents, eq(documents.content_id, renditions.id))
        .where(and(eq(renditions.state, 'failed'), gt(renditions.id, last), isNull(documents.deleted_at)))
        .orderBy(renditions.id)
        .limit(BATCH);
      const ids = failed.map(({ id }) => id);
      await inRetriedTransaction(ctx, (ctx) => reconvert(ctx, ids));
      if (ids.length < BATCH) return;
      last = ids.at(-1) ?? last;
    }
  },
});

/** Contents first, as everywhere; then the documents say that they are converted again. */
async function markNamed(ctx: Context, ids: number[]) {
  const known = await ctx.db
    .select({ content_id: documents.content_id })
    .from(documents)
    .where(inArray(documents.id, ids));
  const contentIds = known.flatMap(({ content_id }) => content_id ?? []);
  const locked = await lockRenditions(ctx, contentIds, 'no key update');
  const rows = await lockPresent(ctx, ids);
  const unread = rows.find(({ content_id }) => content_id === null);
  if (unread) throw documentErrors.wrongStatus(`“${unread.title}”还没有通过审核，不能转换`);
  // What can be read stays so, and its status with it.
  const unreadable = rows.filter(({ content_id }) => {
    const content = locked.get(content_id ?? 0);
    return !content || !isComplete(content);
  });
  const marked = unreadable.map(({ id }) => id);
  if (marked.length > 0)
    await ctx.db
      .update(documents)
      .set({ status: documentStatus.again })
      .where(and(inArray(documents.id, marked), inArray(documents.status, [...publishedStatuses])));
  return rows;
}
