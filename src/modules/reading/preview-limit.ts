import { eq } from 'drizzle-orm';
import type { DocumentRow } from '#modules/document/document.table.ts';
import { isOwnerOrManager } from '#modules/document/visibility.ts';
import { findValidPurchases } from '#modules/download/purchase.ts';
import { roles } from '#modules/role/role.table.ts';
import { rightsOfUser } from '#modules/role/user-roles.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { type Context, hasPermission } from '#platform/server/context.ts';

type PreviewedDocument = Pick<DocumentRow, 'id' | 'user_id' | 'status' | 'visibility' | 'deleted_at' | 'preview'>;

/** Rights that do not depend on the document. `roleLimit`: pages, 0 is no limit. */
type Entitlement = { roleLimit: number; purchases: Pick<Map<number, unknown>, 'has'> };

/** Read once for many documents. */
export async function loadReadingEntitlement(ctx: Context, documentIds: number[]): Promise<Entitlement> {
  const [roleLimit, purchases] = await Promise.all([previewLimitOfRoles(ctx), findValidPurchases(ctx, documentIds)]);
  return { roleLimit, purchases };
}

async function previewLimitOfRoles(ctx: Context): Promise<number> {
  if (ctx.user) return (await rightsOfUser({ ...ctx, user: ctx.user })).maxPreview;
  const [role] = await ctx.db.select({ max_preview: roles.max_preview }).from(roles).where(eq(roles.is_default, true));
  return role?.max_preview ?? 0;
}

/** Sets `preview` to the number of pages that the caller may read; callers who can edit it get the stored limit. */
export async function withCallerPreviewLimit<R extends PreviewedDocument & { pages: number }>(
  ctx: Context,
  rows: R[],
  sharedEntitlement?: Entitlement,
): Promise<R[]> {
  const isEditable = (row: R) => isOwnerOrManager(ctx, row) || hasPermission(ctx, 'DocumentAPI/UpdateDocument');
  const limitedRows = rows.filter((row) => !isEditable(row));
  if (limitedRows.length === 0) return rows;
  const ids = limitedRows.map(({ id }) => id);
  const entitlement = sharedEntitlement ?? (await loadReadingEntitlement(ctx, ids));
  return Promise.all(
    rows.map(async (row) => {
      if (isEditable(row)) return row;
      const readableCount = await countReadablePages(ctx, row, row.pages, entitlement);
      return { ...row, preview: readableCount < row.pages ? readableCount : 0 };
    }),
  );
}

/**
 * Decided on every request. Owner, managers and buyers read all pages; others as far as site, document and roles
 * together allow. Visitors have the limit of the default role, so that logging out never opens pages.
 */
export async function countReadablePages(
  ctx: Context,
  document: PreviewedDocument,
  pages: number,
  sharedEntitlement?: Entitlement,
): Promise<number> {
  if (isOwnerOrManager(ctx, document)) return pages;
  const { max_preview: siteLimit, max_preview_percent: percent } = (await getSettings(ctx)).converter;
  const limits = [
    siteLimit,
    percent > 0 && percent < 100 ? Math.ceil((pages * percent) / 100) : 0,
    document.preview,
    sharedEntitlement?.roleLimit ?? (await previewLimitOfRoles(ctx)),
  ];
  // 0 is no limit.
  const readableCount = Math.min(pages, ...limits.filter((limit) => limit > 0));
  if (readableCount === pages) return pages;
  const purchases = sharedEntitlement?.purchases ?? (await findValidPurchases(ctx, [document.id]));
  return purchases.has(document.id) ? pages : readableCount;
}
