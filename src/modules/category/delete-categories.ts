import { asc, inArray } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { releaseAttachments } from '#modules/attachment/link-attachments.ts';
import { recordRemoval } from '#modules/audit/audit.ts';
import { changeAndInvalidate } from '#platform/server/cache/live-cache-access.ts';
import type { Context } from '#platform/server/context.ts';
import { isForeignKeyViolation } from '#platform/server/db/db.ts';
import { categoryErrors } from './category.contract.ts';
import { categories } from './category.table.ts';
import { CATEGORIES_CACHE_KEY, loadCategories, lockCategoryTree } from './category.ts';
import { subtreeIds } from './category-tree.ts';

/** Deletes categories with their subtrees, or nothing if one of them has documents. */
export async function deleteCategories(ctx: Context, { id: ids }: { id: number[] }) {
  await changeAndInvalidate(ctx, CATEGORIES_CACHE_KEY, async (ctx) => {
    await lockCategoryTree(ctx);
    const subtree = [...subtreeIds(await loadCategories(ctx.db), ids)];
    // Locked, so that no document is added between this check and the deletion.
    const rows = await ctx.db
      .select()
      .from(categories)
      .where(inArray(categories.id, subtree))
      .orderBy(asc(categories.id))
      .for('update');
    const nonEmpty = rows.find(({ doc_count }) => doc_count > 0);
    if (nonEmpty) throw categoryErrors.hasDocuments(`分类“${nonEmpty.title}”下还有文档，不能删除`);
    const deletedIds = rows.map(({ id }) => id);
    // One statement, because the foreign key checks parents only at its end.
    await ctx.db.delete(categories).where(inArray(categories.id, deletedIds));
    await releaseAttachments(ctx, attachmentTypes.category, deletedIds);
    await recordRemoval(
      ctx,
      { action: '删除文档分类', kind: '分类', ids: [...ids, ...deletedIds] },
      rows.map((row) => ({ id: row.id, name: row.title, values: row })),
    );
  }).catch(throwIfNotEmpty);
  return {};
}

/** doc_count excludes deleted and hidden documents; the foreign key detects these. */
function throwIfNotEmpty(error: unknown): never {
  if (isForeignKeyViolation(error, 'document_categories_category_id_fkey'))
    throw categoryErrors.hasDocuments('分类下还有文档（含回收站和未公开的文档），不能删除');
  throw error;
}
