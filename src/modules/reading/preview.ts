import { eq } from 'drizzle-orm';
import type { DocumentRow } from '#modules/document/document.table.ts';
import { seesInside } from '#modules/document/visibility.ts';
import { findValidPurchases } from '#modules/download/purchase.ts';
import { roles } from '#modules/role/role.table.ts';
import { flagsOf } from '#modules/role/user-roles.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { type Context, can } from '#platform/server/context.ts';

type Previewed = Pick<DocumentRow, 'id' | 'user_id' | 'status' | 'visibility' | 'deleted_at' | 'preview'>;

/** What the caller has, whatever the document. */
type Entitlement = { ofRoles: number; bought: Pick<Map<number, unknown>, 'has'> };

/** Asked once for many documents. */
export async function entitlementOf(ctx: Context, documentIds: number[]): Promise<Entitlement> {
  const [ofRoles, bought] = await Promise.all([previewOfRoles(ctx), findValidPurchases(ctx, documentIds)]);
  return { ofRoles, bought };
}

/** How many pages of any document the caller's roles allow; 0 is no limit. */
async function previewOfRoles(ctx: Context): Promise<number> {
  if (ctx.user) return (await flagsOf({ ...ctx, user: ctx.user })).maxPreview;
  const [role] = await ctx.db.select({ max_preview: roles.max_preview }).from(roles).where(eq(roles.is_default, true));
  return role?.max_preview ?? 0;
}

/** Rows whose `preview` says how many pages the caller may read, or the limit to those who can change it. */
export async function withPreview<R extends Previewed & { pages: number }>(
  ctx: Context,
  rows: R[],
  known?: Entitlement,
): Promise<R[]> {
  const isEditable = (row: R) => seesInside(ctx, row) || can(ctx, 'DocumentAPI/UpdateDocument');
  const limited = rows.filter((row) => !isEditable(row));
  if (limited.length === 0) return rows;
  const ids = limited.map(({ id }) => id);
  const entitlement = known ?? (await entitlementOf(ctx, ids));
  return Promise.all(
    rows.map(async (row) => {
      if (isEditable(row)) return row;
      const readable = await readablePages(ctx, row, row.pages, entitlement);
      return { ...row, preview: readable < row.pages ? readable : 0 };
    }),
  );
}

/**
 * How many of the pages the caller may read now; decided when they are served, never earlier. Owner,
 * managers and buyers read all; others as far as site, document and their roles together allow, and
 * visitors as far as whoever registers: logging out opens no page.
 */
export async function readablePages(
  ctx: Context,
  document: Previewed,
  pages: number,
  known?: Entitlement,
): Promise<number> {
  if (seesInside(ctx, document)) return pages;
  const { max_preview: most, max_preview_percent: percent } = (await getSettings(ctx)).converter;
  const limits = [
    most,
    percent > 0 && percent < 100 ? Math.ceil((pages * percent) / 100) : 0,
    document.preview,
    known?.ofRoles ?? (await previewOfRoles(ctx)),
  ];
  // 0 is no limit.
  const readable = Math.min(pages, ...limits.filter((limit) => limit > 0));
  if (readable === pages) return pages;
  const bought = known?.bought ?? (await findValidPurchases(ctx, [document.id]));
  return bought.has(document.id) ? pages : readable;
}
