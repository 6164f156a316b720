import { and, eq, inArray, isNull } from 'drizzle-orm';
import { recordAudit } from '#modules/audit/audit.ts';
import { reconvert } from '#modules/content/reconvert.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/retried-transaction.ts';
import { documentErrors } from './document.contract.ts';
import { documents } from './document.table.ts';
import { lockContents } from './follow-content.ts';
import { lockPresent } from './lock-documents.ts';
import type { manageDocumentApi } from './manage.contract.ts';
import { namesOf } from './manage-documents.ts';

const FAILED = 3;
const AGAIN = 5;
/** Converted or being converted: neither disabled nor under review. */
const FOLLOWING = [0, 1, 2, 3, 5] as const;
const BATCH = 1000;

/** Converts anew what is named, else whatever has failed. Equal files are converted once for all. */
export async function reconvertDocuments(
  ctx: UserContext,
  { id: ids }: ParsedInputOf<typeof manageDocumentApi.reconvert>,
) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const rows = ids ? await markNamed(ctx, ids) : await findFailed(ctx);
    const contentIds = [...new Set(rows.flatMap(({ content_id }) => content_id ?? []))];
    for (let at = 0; at < contentIds.length; at += BATCH)
      await reconvert(ctx, contentIds.slice(at, at + BATCH));
    await recordAudit(ctx, {
      action: ids ? '重新转换文档' : '一键重转失败文档',
      target: rows.length > 0 ? namesOf(rows) : '文档',
      after: { reconverted: rows.length },
    });
  });
  return {};
}

/** Contents first, as everywhere; then the documents say that they are converted again. */
async function markNamed(ctx: Context, ids: number[]) {
  const known = await ctx.db
    .select({ content_id: documents.content_id })
    .from(documents)
    .where(inArray(documents.id, ids));
  const contentIds = known.flatMap(({ content_id }) => content_id ?? []);
  await lockContents(ctx, contentIds, 'no key update');
  const rows = await lockPresent(ctx, ids);
  const unread = rows.find(({ content_id }) => content_id === null);
  if (unread) throw documentErrors.wrongStatus(`“${unread.title}”还没有通过审核，不能转换`);
  await ctx.db
    .update(documents)
    .set({ status: AGAIN })
    .where(and(inArray(documents.id, ids), inArray(documents.status, [...FOLLOWING])));
  return rows;
}

const findFailed = (ctx: Context) =>
  ctx.db
    .select({ id: documents.id, title: documents.title, content_id: documents.content_id })
    .from(documents)
    .where(and(eq(documents.status, FAILED), isNull(documents.deleted_at)))
    .orderBy(documents.content_id);
