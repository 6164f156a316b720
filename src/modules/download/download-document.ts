import { and, eq } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { recordActivity } from '#modules/activity/activity.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { type DocumentRow, documents } from '#modules/document/document.table.ts';
import { hiddenDocumentError } from '#modules/document/hidden-document-error.ts';
import { lockExistingDocuments } from '#modules/document/lock-documents.ts';
import { isOwnerOrManager, isVisibleToCaller } from '#modules/document/visibility.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { countDownloadOrReject, getRemainingDownloads } from './daily-limit.ts';
import type { DownloadOffer, downloadApi } from './download.contract.ts';
import { downloads } from './download.table.ts';
import { createDownloadLink, findOriginalFile } from './download-link.ts';
import { findAccessError } from './download-rights.ts';
import { findValidPurchase, insufficientCreditError, purchaseDocument } from './purchase.ts';

async function findVisibleDocument(ctx: Context, id: number): Promise<DocumentRow> {
  const [row] = await ctx.db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), isVisibleToCaller(ctx)));
  if (!row) throw await hiddenDocumentError(ctx, id);
  return row;
}

/** Returns a link to the original file. A paid document is bought first. */
export async function downloadDocument(
  ctx: Context,
  { id, price: agreedPrice }: ParsedInputOf<typeof downloadApi.get>,
) {
  const document = await findVisibleDocument(ctx, id);
  const accessError = await findAccessError(ctx, document);
  if (accessError) throw accessError;
  const original = await findOriginalFile(ctx, id);
  // Downloads by the author are not recorded.
  if (ctx.user?.id !== document.user_id)
    await inRetriedTransaction(ctx, (ctx) => payAndRecordDownload(ctx, id, agreedPrice));
  return { url: await createDownloadLink(ctx, original) };
}

/**
 * Checks limits, pays and records the download in one transaction. Users who manage documents neither pay nor have
 * limits.
 */
async function payAndRecordDownload(ctx: Context, id: number, agreedPrice: number | undefined): Promise<void> {
  const isLimited = !isOwnerOrManager(ctx, await findVisibleDocument(ctx, id));
  if (isLimited) await countDownloadOrReject(ctx, (await findValidPurchase(ctx, id)) !== null);
  const [document] = await lockExistingDocuments(ctx, [id]);
  if (!document) throw documentErrors.notFound();
  // The document may have been hidden or repriced since the first check.
  const accessError = await findAccessError(ctx, document);
  if (accessError) throw accessError;
  const { user } = ctx;
  const price =
    isLimited && user && document.price > 0 ? await purchaseDocument({ ...ctx, user }, document, agreedPrice) : 0;
  await ctx.db.insert(downloads).values({
    user_id: user?.id ?? null,
    document_id: id,
    ip: ctx.client.ip.slice(0, 64),
    price,
    created_at: ctx.now().toISOString(),
  });
  if (user)
    await recordActivity(ctx, {
      userId: user.id,
      type: 'download',
      payload: { document: { id, title: document.title }, price },
    });
}

async function readBalance(ctx: Context): Promise<number> {
  if (!ctx.user) return 0;
  const [row] = await ctx.db.select({ balance: users.credit_count }).from(users).where(eq(users.id, ctx.user.id));
  return row?.balance ?? 0;
}

/** Returns the price of a download for the caller, and the error if it would be rejected. */
export async function getDownloadOffer(ctx: Context, { id }: { id: number }): Promise<DownloadOffer> {
  const document = await findVisibleDocument(ctx, id);
  const isLimited = !isOwnerOrManager(ctx, document);
  const purchase = await findValidPurchase(ctx, id);
  const { remaining, limitError } = await getRemainingDownloads(ctx, purchase !== null);
  const cost = isLimited && !purchase ? document.price : 0;
  const balance = await readBalance(ctx);
  const error =
    (await findAccessError(ctx, document)) ??
    (isLimited ? limitError : null) ??
    (cost > balance ? await insufficientCreditError(ctx) : null);
  return {
    price: document.price,
    cost,
    balance,
    is_bought: purchase !== null,
    bought_until: purchase?.until?.toISOString() ?? null,
    holds_days: (await getSettings(ctx)).download.free_download_duration,
    left_today: isLimited ? remaining : -1,
    may_download: error === null,
    code: error?.code ?? '',
    message: error?.message ?? '',
  };
}
