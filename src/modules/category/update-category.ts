import { eq, sql } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import { changeAndInvalidate } from '#platform/server/cache/live-cache-access.ts';
import type { Context } from '#platform/server/context.ts';
import { isUniqueViolation } from '#platform/server/db/db.ts';
import { recordEvents } from '#platform/server/events/record-events.ts';
import { type Category, categoryErrors } from './category.contract.ts';
import { categories } from './category.table.ts';
import {
  assertUploadedPictures,
  CATEGORIES_CACHE_KEY,
  getCategory,
  loadCategories,
  lockCategoryTree,
  markCategoryPicturesUsed,
} from './category.ts';
import { MAX_DEPTH, pathToRoot, subtreeHeight } from './category-tree.ts';

type CategoryChange = { id: number } & Partial<
  Pick<
    Category,
    'parent_id' | 'title' | 'cover' | 'icon' | 'description' | 'sort' | 'enable' | 'enable_ocr' | 'watermark'
  >
>;

export async function updateCategory(ctx: Context, { id, ...change }: CategoryChange) {
  assertUploadedPictures(change.cover, change.icon);
  try {
    await changeAndInvalidate(ctx, CATEGORIES_CACHE_KEY, async (ctx) => {
      await lockCategoryTree(ctx);
      if (change.parent_id !== undefined) await assertValidParent(ctx, id, change.parent_id);
      const before = await getCategory(ctx, { id });
      const { parent_id, ...rest } = change;
      const [row] = await ctx.db
        .update(categories)
        .set({
          ...rest,
          ...(parent_id !== undefined && { parent_id: parent_id || null }),
          updated_at: sql`now()`,
        })
        .where(eq(categories.id, id))
        .returning();
      if (!row) throw categoryErrors.notFound();
      if (row.title !== before.title) await recordEvents(ctx, 'category', 'renamed', [id]);
      if ((row.parent_id ?? 0) !== before.parent_id) await recordEvents(ctx, 'category', 'moved', [id]);
      await markCategoryPicturesUsed(ctx, id, [row.cover, row.icon]);
      const target = auditTarget('分类', [{ id, name: before.title }]);
      const after = { ...row, parent_id: row.parent_id ?? 0 };
      await recordAudit(ctx, { action: '更新文档分类', target, before, after });
    });
  } catch (error) {
    if (isUniqueViolation(error, 'categories_title_key')) throw categoryErrors.exists();
    throw error;
  }
  return {};
}

async function assertValidParent(ctx: Context, id: number, parentId: number): Promise<void> {
  const allCategories = await loadCategories(ctx.db);
  const row = allCategories.find((each) => each.id === id);
  if (!row) throw categoryErrors.notFound();
  if (parentId === row.parent_id || parentId === 0) return;
  const ancestors = pathToRoot(allCategories, parentId);
  if (ancestors.length === 0) throw categoryErrors.parentNotFound();
  if (ancestors.some((each) => each.id === id)) throw categoryErrors.cycle();
  if (ancestors.length + subtreeHeight(allCategories, id) > MAX_DEPTH) throw categoryErrors.tooDeep();
}
