import { and, eq } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { recordActivity } from '#modules/activity/activity.ts';
import { documentErrors } from '#modules/document/document.contract.ts';
import { type DocumentRow, documents } from '#modules/document/document.table.ts';
import { lockExistingDocuments } from '#modules/document/lock-documents.ts';
import { canRead, isOwnerOrManager, visibleTo } from '#modules/document/visibility.ts';
import { flagsOf } from '#modules/role/user-roles.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { countDownload, leftToday } from './daily-limit.ts';
import { type DownloadOffer, type downloadApi, downloadErrors } from './download.contract.ts';
import { downloads } from './download.table.ts';
import { downloadLink, findOriginal } from './download-link.ts';
import { buy, heldPurchase, insufficientCredit } from './purchase.ts';

async function findDocument(ctx: Context, id: number): Promise<DocumentRow> {
  const [row] = await ctx.db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), visibleTo(ctx)));
  if (!row) throw documentErrors.notFound();
  return row;
}

/** Why the caller may not download at all, whatever it costs and however often they did. */
async function refusalOf(ctx: Context, document: DocumentRow): Promise<AppError | null> {
  if (isOwnerOrManager(ctx, document)) return null;
  if (!canRead(ctx, document)) return downloadErrors.notReady();
  const { user } = ctx;
  if (user) return (await flagsOf({ ...ctx, user })).mayDownload ? null : downloadErrors.forbidden();
  if (document.price > 0) return downloadErrors.paidNeedsLogin();
  const { enable_guest_download } = (await getSettings(ctx)).download;
  return enable_guest_download ? null : downloadErrors.loginRequired();
}

/** A link to the original file. What costs something is bought first, once. */
export async function downloadDocument(ctx: Context, { id, price: agreed }: ParsedInputOf<typeof downloadApi.get>) {
  const document = await findDocument(ctx, id);
  const refusal = await refusalOf(ctx, document);
  if (refusal) throw refusal;
  const original = await findOriginal(ctx, id);
  // Authors fetch their own file: no download that says anything.
  if (ctx.user?.id !== document.user_id) await inRetriedTransaction(ctx, (ctx) => recordDownload(ctx, id, agreed));
  return { url: await downloadLink(ctx, original) };
}

/** Limits, money and the note of it, all or nothing. Who manages documents neither pays nor waits. */
async function recordDownload(ctx: Context, id: number, agreed: number | undefined): Promise<void> {
  const isLimited = !isOwnerOrManager(ctx, await findDocument(ctx, id));
  if (isLimited) await countDownload(ctx, (await heldPurchase(ctx, id)) !== null);
  const [document] = await lockExistingDocuments(ctx, [id]);
  if (!document) throw documentErrors.notFound();
  // It may have been hidden, or priced, since it was looked at.
  const refusal = await refusalOf(ctx, document);
  if (refusal) throw refusal;
  const { user } = ctx;
  const price = isLimited && user && document.price > 0 ? await buy({ ...ctx, user }, document, agreed) : 0;
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

async function balanceOf(ctx: Context): Promise<number> {
  if (!ctx.user) return 0;
  const [row] = await ctx.db.select({ balance: users.credit_count }).from(users).where(eq(users.id, ctx.user.id));
  return row?.balance ?? 0;
}

/** What a download would cost the caller now, and whether it would be refused. */
export async function offerDownload(ctx: Context, { id }: { id: number }): Promise<DownloadOffer> {
  const document = await findDocument(ctx, id);
  const isLimited = !isOwnerOrManager(ctx, document);
  const held = await heldPurchase(ctx, id);
  const { left, refusal: limit } = await leftToday(ctx, held !== null);
  const cost = isLimited && !held ? document.price : 0;
  const balance = await balanceOf(ctx);
  const refusal =
    (await refusalOf(ctx, document)) ??
    (isLimited ? limit : null) ??
    (cost > balance ? await insufficientCredit(ctx) : null);
  return {
    price: document.price,
    cost,
    balance,
    is_bought: held !== null,
    bought_until: held?.until?.toISOString() ?? null,
    holds_days: (await getSettings(ctx)).download.free_download_duration,
    left_today: isLimited ? left : -1,
    may_download: refusal === null,
    code: refusal?.code ?? '',
    message: refusal?.message ?? '',
  };
}
