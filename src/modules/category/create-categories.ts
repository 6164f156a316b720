import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { InheritableWatermarkMode } from '#modules/settings/watermark-mode.contract.ts';
import { changeAndInvalidate } from '#platform/server/cache/live-cache-access.ts';
import type { Context } from '#platform/server/context.ts';
import { categoryErrors } from './category.contract.ts';
import { categories } from './category.table.ts';
import {
  assertUploadedPictures,
  CATEGORIES_CACHE_KEY,
  loadCategories,
  lockCategoryTree,
  markCategoryPicturesUsed,
} from './category.ts';
import { MAX_DEPTH, pathToRoot } from './category-tree.ts';

const MAX_TITLE_LENGTH = 64;
const INSERT_BATCH_SIZE = 500;

type NewCategories = {
  /** One title per line. */
  title: string;
  parent_id: number;
  cover: string;
  icon: string;
  description: string;
  sort: number;
  enable: boolean;
  enable_ocr: boolean;
  watermark: InheritableWatermarkMode;
};

/** Titles in the order of the lines, without duplicates. */
export function splitTitles(lines: string): string[] {
  const titles = lines.split(/[\r\n\u2028\u2029]+/).map((line) => line.trim());
  return [...new Set(titles.filter(Boolean))];
}

/** Creates one category per line and skips titles that exist under the parent. */
export async function createCategories(ctx: Context, input: NewCategories) {
  const { title: lines, parent_id, ...rest } = input;
  const titles = splitTitles(lines);
  const tooLongTitle = titles.find((title) => title.length > MAX_TITLE_LENGTH);
  if (tooLongTitle) throw categoryErrors.titleTooLong(`“${tooLongTitle.slice(0, 20)}…”超过 64 个字符`);
  assertUploadedPictures(input.cover, input.icon);
  await changeAndInvalidate(ctx, CATEGORIES_CACHE_KEY, async (ctx) => {
    await lockCategoryTree(ctx);
    await assertParentAllowsChildren(ctx, parent_id);
    const createdCategories: { id: number; name: string }[] = [];
    for (let at = 0; at < titles.length; at += INSERT_BATCH_SIZE) {
      const batch = titles.slice(at, at + INSERT_BATCH_SIZE);
      const createdBatch = await ctx.db
        .insert(categories)
        .values(batch.map((title) => ({ ...rest, title, parent_id: parent_id || null })))
        .onConflictDoNothing()
        .returning({ id: categories.id, name: categories.title });
      createdCategories.push(...createdBatch);
      if (input.cover || input.icon)
        for (const { id } of createdBatch) await markCategoryPicturesUsed(ctx, id, [input.cover, input.icon]);
    }
    const after = { titles: createdCategories.map(({ name }) => name), parent_id, ...rest };
    await recordAudit(ctx, { action: '新增文档分类', target: auditTarget('分类', createdCategories), after });
  });
  return {};
}

async function assertParentAllowsChildren(ctx: Context, parentId: number): Promise<void> {
  if (parentId === 0) return;
  const chain = pathToRoot(await loadCategories(ctx.db), parentId);
  if (chain.length === 0) throw categoryErrors.parentNotFound();
  if (chain.length >= MAX_DEPTH) throw categoryErrors.tooDeep();
}
