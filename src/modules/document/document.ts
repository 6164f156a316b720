import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { viewUrls } from '#modules/conversion/view-urls.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { attachmentHashes } from './attachment-hash.ts';
import type { Document } from './document.contract.ts';
import { documents } from './document.table.ts';
import { categoriesOf } from './document-categories.ts';
import { encryptionOf } from './encryption.ts';
import { canRead, isOwnerOrManager } from './visibility.ts';

const numberOf = (column: SQL.Aliased | SQL) => sql<number>`coalesce(${column}, 0)`.mapWith(Number);

const columns = {
  ...getTableColumns(documents),
  username: users.username,
  pages: numberOf(sql`${renditions.pages}`),
  ready_pages: numberOf(sql`${renditions.ready_pages}`),
  cover_hash: sql<string>`coalesce(${renditions.hash}, '')`,
  cover_version: numberOf(sql`${renditions.version}`),
  width: numberOf(sql`${renditions.width}`),
  height: numberOf(sql`${renditions.height}`),
  /** Why the conversion failed or waits. */
  convert_error: sql<string>`case when ${documents.status} in (0, 1, 3, 5)
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

const coverOf = ({ cover_hash: hash, cover_version: version, format }: SelectedDocument) => ({
  hash,
  version,
  format,
});

/** Adds categories and URLs and removes fields that the caller may not see. */
export async function describeDocuments<R extends SelectedDocument>(
  ctx: Context,
  rows: R[],
): Promise<(R & Document)[]> {
  if (rows.length === 0) return [];
  const categoriesByDocument = await categoriesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  const { display } = await getSettings(ctx);
  const urls = await viewUrls(ctx);
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
      encryption: encryptionOf(ctx, row),
      cover: canRead(ctx, row) && row.ready_pages > 0 ? urls.cover(coverOf(row), row.id) : '',
      attachment: { hash: hashOf(row.id), ext: row.ext, size: row.size },
      category,
      category_id: category.map(({ id }) => id),
    };
  });
}
