import type { DocumentRow } from '#modules/document/document.table.ts';
import { seesInside } from '#modules/document/visible-to.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';

type Previewed = Pick<DocumentRow, 'user_id' | 'status' | 'visibility' | 'deleted_at' | 'preview'>;

/** How many of the pages the caller may read now; decided when they are served, never earlier. */
export async function readablePages(
  ctx: Context,
  document: Previewed,
  pages: number,
): Promise<number> {
  if (seesInside(ctx, document)) return pages;
  const { converter } = await getSettings(ctx);
  const { max_preview: most, max_preview_percent: percent } = converter;
  const limits = [
    pages,
    ...(most > 0 ? [most] : []),
    ...(percent > 0 && percent < 100 ? [Math.ceil((pages * percent) / 100)] : []),
    ...(document.preview > 0 ? [document.preview] : []),
  ];
  return Math.min(...limits);
}
