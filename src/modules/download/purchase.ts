import { and, desc, eq, inArray } from 'drizzle-orm';
import { creditErrors } from '#modules/credit/credit.contract.ts';
import { transfer } from '#modules/credit/credit.ts';
import type { DocumentRow } from '#modules/document/document.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { AppError } from '#platform/contract/errors.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { downloadErrors } from './download.contract.ts';
import { purchases } from './download.table.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

type Purchase = typeof purchases.$inferSelect;

async function lastPurchase(ctx: UserContext, documentId: number): Promise<Purchase | undefined> {
  const [row] = await ctx.db
    .select()
    .from(purchases)
    .where(and(eq(purchases.user_id, ctx.user.id), eq(purchases.document_id, documentId)))
    .orderBy(desc(purchases.number))
    .limit(1);
  return row;
}

/** Until when a purchase holds by the settings of now: null for ever. */
async function endOf(ctx: Context, { created_at }: Purchase): Promise<Date | null> {
  const { free_download_duration: days } = (await getSettings(ctx)).download;
  return days === 0 ? null : new Date(new Date(created_at).getTime() + days * DAY_MS);
}

const isUser = (ctx: Context): ctx is UserContext => ctx.user !== null;

/** The purchases of these documents by the caller that still hold, and until when. */
export async function heldPurchases(ctx: Context, documentIds: number[]): Promise<Map<number, { until: Date | null }>> {
  const held = new Map<number, { until: Date | null }>();
  if (!isUser(ctx) || documentIds.length === 0) return held;
  const made = await ctx.db
    .select()
    .from(purchases)
    .where(and(eq(purchases.user_id, ctx.user.id), inArray(purchases.document_id, documentIds)))
    .orderBy(purchases.number);
  // Of one document the last counts.
  for (const each of new Map(made.map((one) => [one.document_id, one])).values()) {
    const until = await endOf(ctx, each);
    if (until === null || until > ctx.now()) held.set(each.document_id, { until });
  }
  return held;
}

export const heldPurchase = async (ctx: Context, documentId: number) =>
  (await heldPurchases(ctx, [documentId])).get(documentId) ?? null;

/**
 * Pays the author what the caller has agreed to, unless a purchase holds. With the document locked:
 * of two that buy it together the second finds what the first has bought. Returns what was paid now.
 */
export async function buy(
  ctx: UserContext,
  { id, price, title, user_id: author }: DocumentRow,
  agreed: number | undefined,
): Promise<number> {
  if (await heldPurchase(ctx, id)) return 0;
  const { credit_name } = (await getSettings(ctx)).score;
  if (agreed !== price) throw downloadErrors.priceChanged(`文档的售价为 ${price} 个${credit_name}，请确认后再下载`);
  const number = ((await lastPurchase(ctx, id))?.number ?? 0) + 1;
  const created_at = ctx.now().toISOString();
  await ctx.db.insert(purchases).values({ user_id: ctx.user.id, document_id: id, number, price, created_at });
  try {
    await transfer(ctx, ctx.user.id, author, price, {
      key: `download:${id}:${ctx.user.id}:${number}`,
      reason: 'download_document',
      reference: `document:${id}`,
      note: title,
    });
  } catch (error) {
    if (creditErrors.insufficient.is(error)) throw await insufficientCredit(ctx);
    throw error;
  }
  return price;
}

export const insufficientCredit = async (ctx: Context): Promise<AppError> =>
  downloadErrors.insufficient(`${(await getSettings(ctx)).score.credit_name}不足，无法下载`);
