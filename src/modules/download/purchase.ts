import { and, desc, eq, inArray } from 'drizzle-orm';
import { creditErrors } from '#modules/credit/credit.contract.ts';
import { transferCredit } from '#modules/credit/credit.ts';
import type { DocumentRow } from '#modules/document/document.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { AppError } from '#platform/contract/errors.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { downloadErrors } from './download.contract.ts';
import { purchases } from './download.table.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

type Purchase = typeof purchases.$inferSelect;

async function findLastPurchase(ctx: UserContext, documentId: number): Promise<Purchase | undefined> {
  const [row] = await ctx.db
    .select()
    .from(purchases)
    .where(and(eq(purchases.user_id, ctx.user.id), eq(purchases.document_id, documentId)))
    .orderBy(desc(purchases.number))
    .limit(1);
  return row;
}

/** Expiry of a purchase by the current settings; null without expiry. */
async function computeExpiry(ctx: Context, { created_at }: Purchase): Promise<Date | null> {
  const { free_download_duration: days } = (await getSettings(ctx)).download;
  return days === 0 ? null : new Date(new Date(created_at).getTime() + days * DAY_MS);
}

const isLoggedIn = (ctx: Context): ctx is UserContext => ctx.user !== null;

/** Returns the purchases of these documents by the caller that have not expired. */
export async function findValidPurchases(
  ctx: Context,
  documentIds: number[],
): Promise<Map<number, { until: Date | null }>> {
  const validPurchases = new Map<number, { until: Date | null }>();
  if (!isLoggedIn(ctx) || documentIds.length === 0) return validPurchases;
  const purchaseRows = await ctx.db
    .select()
    .from(purchases)
    .where(and(eq(purchases.user_id, ctx.user.id), inArray(purchases.document_id, documentIds)))
    // A merge adds purchases of another document after newer ones.
    .orderBy(purchases.created_at, purchases.number);
  // Only the last purchase of a document counts.
  for (const purchase of new Map(purchaseRows.map((row) => [row.document_id, row])).values()) {
    const until = await computeExpiry(ctx, purchase);
    if (until === null || until > ctx.now()) validPurchases.set(purchase.document_id, { until });
  }
  return validPurchases;
}

export const findValidPurchase = async (ctx: Context, documentId: number) =>
  (await findValidPurchases(ctx, [documentId])).get(documentId) ?? null;

/**
 * Pays the agreed price to the author unless the caller has a valid purchase. The document must be locked, so that the
 * second of two concurrent calls finds the purchase of the first. Returns the price paid.
 */
export async function purchaseDocument(
  ctx: UserContext,
  { id, price, title, user_id: author }: DocumentRow,
  agreedPrice: number | undefined,
): Promise<number> {
  if (await findValidPurchase(ctx, id)) return 0;
  const { credit_name } = (await getSettings(ctx)).score;
  if (agreedPrice !== price)
    throw downloadErrors.priceChanged(`文档的售价为 ${price} 个${credit_name}，请确认后再下载`);
  const number = ((await findLastPurchase(ctx, id))?.number ?? 0) + 1;
  const created_at = ctx.now().toISOString();
  await ctx.db.insert(purchases).values({ user_id: ctx.user.id, document_id: id, number, price, created_at });
  try {
    await transferCredit(ctx, ctx.user.id, author, price, {
      key: `download:${id}:${ctx.user.id}:${number}`,
      reason: 'download_document',
      reference: `document:${id}`,
      note: title,
    });
  } catch (error) {
    if (creditErrors.insufficient.is(error)) throw await insufficientCreditError(ctx);
    throw error;
  }
  return price;
}

export const insufficientCreditError = async (ctx: Context): Promise<AppError> =>
  downloadErrors.insufficient(`${(await getSettings(ctx)).score.credit_name}不足，无法下载`);
