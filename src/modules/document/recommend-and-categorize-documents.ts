import { and, inArray, isNull } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import { lockCategoryTreeShared } from '#modules/category/category.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { addCategoryAncestors, replaceCategories } from './document-categories.ts';
import { recordDocumentEvents } from './document-events.ts';
import { lockExistingDocuments } from './lock-documents.ts';
import { type manageDocumentApi, recommendTypes } from './manage.contract.ts';

export const auditTargetOf = (rows: Pick<DocumentRow, 'id' | 'title'>[]) =>
  auditTarget(
    '文档',
    rows.map(({ id, title }) => ({ id, name: title })),
  );

export async function recommendDocuments(
  ctx: UserContext,
  { id: ids, type }: ParsedInputOf<typeof manageDocumentApi.recommend>,
) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const rows = await lockExistingDocuments(ctx, ids);
    const isUnrecommended = type === 1 ? isNull(documents.recommend_at) : undefined;
    await ctx.db
      .update(documents)
      .set({ recommend_at: type === 0 ? null : ctx.now().toISOString() })
      .where(and(inArray(documents.id, ids), isUnrecommended));
    await recordDocumentEvents(ctx, 'recommended', ids);
    const after = { recommend: recommendTypes[type] };
    await recordAudit(ctx, { action: '推荐文档', target: auditTargetOf(rows), after });
  });
  return {};
}

export async function categorizeDocuments(ctx: UserContext, input: ParsedInputOf<typeof manageDocumentApi.categorize>) {
  await inRetriedTransaction(ctx, async (ctx) => {
    await lockCategoryTreeShared(ctx);
    const path = await addCategoryAncestors(ctx, input.category_id);
    const rows = await lockExistingDocuments(ctx, input.document_id);
    await replaceCategories(
      ctx,
      rows.map(({ id }) => id),
      path,
    );
    const after = { category_id: path };
    await recordAudit(ctx, { action: '批量修改文档分类', target: auditTargetOf(rows), after });
  });
  return {};
}
