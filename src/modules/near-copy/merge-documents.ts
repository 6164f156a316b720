import { eq, sql } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import { lockCategoryTreeShared } from '#modules/category/category.ts';
import { comments } from '#modules/comment/comment.table.ts';
import { moveDocumentsToRecycleBin } from '#modules/document/delete-documents.ts';
import { documentSuccessors } from '#modules/document/document.table.ts';
import { recordDocumentEvents } from '#modules/document/document-events.ts';
import { lockExistingDocuments } from '#modules/document/lock-documents.ts';
import { purchases } from '#modules/download/download.table.ts';
import { favorites } from '#modules/favorite/favorite.table.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type nearCopyApi, nearCopyErrors } from './near-copy.contract.ts';

type Merge = { id: number; into: number };

/**
 * Moves a document to the recycle bin; its favorites, comments and buyers go to another one, and its address leads there.
 */
export async function mergeDocuments(ctx: UserContext, { id, into }: ParsedInputOf<typeof nearCopyApi.merge>) {
  if (id === into) throw nearCopyErrors.sameDocument();
  await inRetriedTransaction(ctx, async (ctx) => {
    await lockCategoryTreeShared(ctx);
    const rows = await lockExistingDocuments(ctx, [id, into]);
    const [mergedDocument, targetDocument] = [id, into].map((each) => rows.find((row) => row.id === each));
    if (!mergedDocument || !targetDocument) throw nearCopyErrors.missing();
    await moveFavorites(ctx, { id, into });
    await ctx.db.update(comments).set({ document_id: into }).where(eq(comments.document_id, id));
    await copyPurchases(ctx, { id, into });
    // The target may itself have been merged into this document and restored since.
    await ctx.db.delete(documentSuccessors).where(eq(documentSuccessors.document_id, into));
    // Erasing the document later deletes the rows that lead to it.
    await ctx.db.update(documentSuccessors).set({ successor_id: into }).where(eq(documentSuccessors.successor_id, id));
    await ctx.db
      .insert(documentSuccessors)
      .values({ document_id: id, uuid: mergedDocument.uuid, successor_id: into })
      .onConflictDoUpdate({ target: documentSuccessors.document_id, set: { successor_id: into } });
    await recordDocumentEvents(ctx, 'changed', [into]);
    await moveDocumentsToRecycleBin(ctx, { id: [id], reason: `与《${targetDocument.title}》内容相近，已合并` }, (ctx) =>
      recordAudit(ctx, {
        action: '合并文档',
        target: auditTarget('文档', [{ id, name: mergedDocument.title }]),
        after: { into: auditTarget('文档', [{ id: into, name: targetDocument.title }]) },
      }),
    );
  });
  return {};
}

async function moveFavorites(ctx: Context, { id, into }: Merge): Promise<void> {
  await ctx.db.execute(sql`
    insert into ${favorites} (user_id, document_id, folder_id, sort, created_at)
    select user_id, ${into}, folder_id, sort, created_at from ${favorites} where document_id = ${id}
    order by id on conflict (user_id, document_id) do nothing`);
  await ctx.db.delete(favorites).where(eq(favorites.document_id, id));
}

/** Who bought the document can download the other one. */
const copyPurchases = (ctx: Context, { id, into }: Merge) =>
  ctx.db.execute(sql`
    insert into ${purchases} (user_id, document_id, number, price, created_at)
    select purchase.user_id, ${into}, purchase.number + coalesce((
      select max(target_purchase.number) from ${purchases} target_purchase
      where target_purchase.user_id = purchase.user_id and target_purchase.document_id = ${into}), 0), purchase.price, purchase.created_at
    from ${purchases} purchase where purchase.document_id = ${id}`);
