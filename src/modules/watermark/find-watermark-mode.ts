import { eq } from 'drizzle-orm';
import { categories } from '#modules/category/category.table.ts';
import { pathToRoot } from '#modules/category/category-tree.ts';
import { type DocumentRow, documentCategories } from '#modules/document/document.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { InheritableWatermarkMode, WatermarkMode } from '#modules/settings/watermark-mode.contract.ts';
import type { Context } from '#platform/server/context.ts';

type CategoryMode = { id: number; parent_id: number; watermark: InheritableWatermarkMode };

const STRICTEST_FIRST: readonly WatermarkMode[] = ['drawn', 'overlay', 'off'];

/** The mode of the document, or else of its categories, or else of the site. */
export async function findWatermarkMode(
  ctx: Context,
  document: Pick<DocumentRow, 'id' | 'watermark'>,
): Promise<WatermarkMode> {
  if (document.watermark !== 'inherit') return document.watermark;
  const rows = await ctx.db
    .select({ id: categories.id, parent_id: categories.parent_id, watermark: categories.watermark })
    .from(documentCategories)
    .innerJoin(categories, eq(categories.id, documentCategories.category_id))
    .where(eq(documentCategories.document_id, document.id));
  const mode = findModeOfCategories(rows.map((row) => ({ ...row, parent_id: row.parent_id ?? 0 })));
  return mode ?? (await getSettings(ctx)).security.watermark;
}

/** In each branch the deepest category with a mode decides; of several branches the strictest one. */
export function findModeOfCategories(rows: readonly CategoryMode[]): WatermarkMode | null {
  const explicitRows = rows.filter(({ watermark }) => watermark !== 'inherit');
  const parentIds = new Set(
    explicitRows.flatMap(({ id }) =>
      pathToRoot(rows, id)
        .slice(1)
        .map((row) => row.id),
    ),
  );
  const modes = new Set(explicitRows.filter(({ id }) => !parentIds.has(id)).map(({ watermark }) => watermark));
  return STRICTEST_FIRST.find((mode) => modes.has(mode)) ?? null;
}
