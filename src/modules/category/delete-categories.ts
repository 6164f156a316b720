import { asc, inArray } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { releaseAttachments } from '#modules/attachment/attachment.ts';
import { recordRemoval } from '#modules/audit/audit.ts';
import { changeAndInvalidate } from '#platform/server/cache/live-cache-access.ts';
import type { Context } from '#platform/server/context.ts';
import { isForeignKeyViolation } from '#platform/server/db/db.ts';
import { categoryErrors } from './category.contract.ts';
import { categories } from './category.table.ts';
import { CATEGORIES, loadCategories, lockTree } from './category.ts';
import { subtreeOf } from './tree.ts';

/** Deletes categories with all below them: every one of them, or none when one has documents. */
export async function deleteCategories(ctx: Context, { id: ids }: { id: number[] }) {
  await changeAndInvalidate(ctx, CATEGORIES, async (ctx) => {
    await lockTree(ctx);
    const doomed = [...subtreeOf(await loadCategories(ctx.db), ids)];
    // Locked, so that no document is counted into them between the look and the deletion.
    const rows = await ctx.db
      .select()
      .from(categories)
      .where(inArray(categories.id, doomed))
      .orderBy(asc(categories.id))
      .for('update');
    const full = rows.find(({ doc_count }) => doc_count > 0);
    if (full) throw categoryErrors.hasDocuments(`分类“${full.title}”下还有文档，不能删除`);
    const found = rows.map(({ id }) => id);
    // Children and parents go in one statement, which the foreign key allows.
    await ctx.db.delete(categories).where(inArray(categories.id, found));
    await releaseAttachments(ctx, attachmentTypes.category, found);
    await recordRemoval(
      ctx,
      { action: '删除文档分类', kind: '分类', ids: [...ids, ...found] },
      rows.map((row) => ({ id: row.id, name: row.title, values: row })),
    );
  }).catch(sayNotEmpty);
  return {};
}

/** Documents in the recycle bin or hidden from visitors are not counted, but have their place too. */
function sayNotEmpty(error: unknown): never {
  if (isForeignKeyViolation(error, 'document_categories_category_id_fkey'))
    throw categoryErrors.hasDocuments('分类下还有文档（含回收站和未公开的文档），不能删除');
  throw error;
}
