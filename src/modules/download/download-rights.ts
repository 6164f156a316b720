import { eq } from 'drizzle-orm';
import { type DocumentRow, documents } from '#modules/document/document.table.ts';
import { canRead, canSee, isOwnerOrManager } from '#modules/document/visibility.ts';
import { loadUser } from '#modules/role/authenticate.ts';
import { rightsOfUser } from '#modules/role/user-roles.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { downloadErrors } from './download.contract.ts';

/** Link holders have no session. */
const NO_SESSION_ID = 0;

/** Returns the error if the caller may not download at all, independent of price and limits. */
export async function findAccessError(ctx: Context, document: DocumentRow): Promise<AppError | null> {
  if (isOwnerOrManager(ctx, document)) return null;
  if (!canRead(ctx, document)) return downloadErrors.notReady();
  if (!ctx.user && document.price > 0) return downloadErrors.paidNeedsLogin();
  return findDownloadRightError(ctx);
}

async function findDownloadRightError(ctx: Context): Promise<AppError | null> {
  const { user } = ctx;
  if (user) return (await rightsOfUser({ ...ctx, user })).mayDownload ? null : downloadErrors.forbidden();
  const { enable_guest_download } = (await getSettings(ctx)).download;
  return enable_guest_download ? null : downloadErrors.loginRequired();
}

/**
 * Whether the account that requested a link may still download the document; `userId` is 0 for a visitor. A new price or
 * a conversion that started after the request does not interrupt the download.
 */
export async function mayStillDownload(ctx: Context, documentId: number, userId: number): Promise<boolean> {
  const user = userId === 0 ? null : await loadUser(ctx, userId, NO_SESSION_ID);
  if (userId !== 0 && !user) return false;
  const caller = { ...ctx, user };
  const [document] = await ctx.db.select().from(documents).where(eq(documents.id, documentId));
  if (!document || !canSee(caller, document)) return false;
  return isOwnerOrManager(caller, document) || (await findDownloadRightError(caller)) === null;
}
