import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { createPageImageUrls } from '#modules/conversion/page-image-urls.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { attachmentHashes } from './attachment-hash.ts';
import type { Document } from './document.contract.ts';
import { documents } from './document.table.ts';
import { listVisibleCategoriesByDocument } from './document-categories.ts';
import { getEncryptionForCaller } from './encryption.ts';
import { canRead, isOwnerOrManager } from './visibility.ts';

const selectNumberOrZero = (column: SQL.Aliased | SQL) => sql<number>`coalesce(${column}, 0)`.mapWith(Number);

const columns = {
  ...getTableColumns(documents),
  username: users.username,
  pages: selectNumberOrZero(sql`${renditions.pages}`),
  ready_pages: selectNumberOrZero(sql`${renditions.ready_pages}`),
  recognized_pages: selectNumberOrZero(sql`${renditions.recognized_pages}`),
  cover_hash: sql<string>`coalesce(${renditions.hash}, '')`,
  cover_version: selectNumberOrZero(sql`${renditions.version}`),
  width: selectNumberOrZero(sql`${renditions.width}`),
  height: selectNumberOrZero(sql`${renditions.height}`),
  /** Why the conversion failed or waits. */
  convert_error: sql<string>`case when ${documents.conversion_state} <> 'converted'
      and ${documents.review_state} in ('published', 'under-review')
    then coalesce(${renditions.reason}, '') else '' end`,
};

/** Documents with author and rendition. */
export const selectDocuments = (ctx: Context) =>
  ctx.db
    .select(columns)
    .from(documents)
    .innerJoin(users, eq(users.id, documents.user_id))
    .leftJoin(renditions, eq(renditions.id, documents.rendition_id))
    .$dynamic();
export type SelectedDocument = Awaited<ReturnType<typeof selectDocuments>>[number];

const toCoverSource = ({ cover_hash: hash, cover_version: version, format }: SelectedDocument) => ({
  hash,
  version,
  format,
});

/** Adds categories and URLs and removes fields that the caller may not see. */
export async function addCategoriesAndUrls<R extends SelectedDocument>(
  ctx: Context,
  rows: R[],
): Promise<(R & Document)[]> {
  if (rows.length === 0) return [];
  const categoriesByDocument = await listVisibleCategoriesByDocument(
    ctx,
    rows.map(({ id }) => id),
  );
  const { display } = await getSettings(ctx);
  const urls = await createPageImageUrls(ctx);
  const { hashOf } = await attachmentHashes(ctx);
  return rows.map((row) => {
    const category = categoriesByDocument.get(row.id) ?? [];
    const isInsider = isOwnerOrManager(ctx, row);
    const hiddenFields = {
      convert_error: '',
      reject_reason: '',
      ...(!canRead(ctx, row) && { description: '', keywords: '' }),
      ...(!display.show_document_view_count && { view_count: 0 }),
      ...(!display.show_document_download_count && { download_count: 0 }),
      ...(!display.show_document_favorite_count && { favorite_count: 0 }),
    };
    return {
      ...row,
      ...(!isInsider && hiddenFields),
      encryption: getEncryptionForCaller(ctx, row),
      cover: canRead(ctx, row) && row.ready_pages > 0 ? urls.cover(toCoverSource(row), row.id) : '',
      attachment: { hash: hashOf(row.id), ext: row.ext, size: row.size },
      category,
      category_id: category.map(({ id }) => id),
    };
  });
}
