import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { assertStorageQuota, lockQuota, megabyteLimitToBytes } from '#modules/attachment/storage-quota.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { uploadErrors } from './upload.contract.ts';
import { uploadReservations, uploads } from './upload.table.ts';

const RESERVATION_SECONDS = 60;
const RESERVATION_RENEWAL_MS = 10_000;

const toNumber = (value: string | null | undefined) => Number(value ?? 0);

/** Announced bytes of open uploads of both methods, so that concurrent uploads cannot exceed a limit. */
async function sumOpenBytes(ctx: UserContext): Promise<number> {
  const [resumableTotal] = await ctx.db
    .select({ total: sql<string>`sum(${uploads.size})` })
    .from(uploads)
    .where(and(eq(uploads.user_id, ctx.user.id), isNull(uploads.attachment_id)));
  const [reservedTotal] = await ctx.db
    .select({ total: sql<string>`sum(${uploadReservations.size})` })
    .from(uploadReservations)
    .where(and(eq(uploadReservations.user_id, ctx.user.id), gt(uploadReservations.expires_at, sql`now()`)));
  return toNumber(resumableTotal?.total) + toNumber(reservedTotal?.total);
}

async function getMaxOpenBytes(ctx: UserContext): Promise<number> {
  const { max_document_size, max_open_upload_size } = (await getSettings(ctx)).security;
  // One file of the largest permitted size must always fit.
  return Math.max(megabyteLimitToBytes(max_open_upload_size), megabyteLimitToBytes(max_document_size));
}

const tooManyOpenBytesError = (limit: number) =>
  uploadErrors.quotaReached(`未完成的上传已达到 ${formatSize(limit)} 的上限，请先完成或取消它们`);

/** Rejects a new upload that would exceed the limit of open uploads or of all files of the user. */
export async function assertOpenUploadQuota(ctx: UserContext, size: number): Promise<void> {
  await lockQuota(ctx);
  const maxOpenBytes = await getMaxOpenBytes(ctx);
  const announcedBytes = (await sumOpenBytes(ctx)) + size;
  if (announcedBytes > maxOpenBytes) throw tooManyOpenBytesError(maxOpenBytes);
  await assertStorageQuota(ctx, { path: '', size: announcedBytes });
}

/**
 * Counts `size` bytes as an open upload while `work` runs. The limit of all files is checked with the complete file,
 * because the user may have the same file already.
 */
export async function withReservedBytes<T>(ctx: UserContext, size: number, work: () => Promise<T>): Promise<T> {
  const id = randomUUID();
  const expires_at = sql`now() + make_interval(secs => ${RESERVATION_SECONDS})`;
  await inTransaction(ctx, async (ctx) => {
    await lockQuota(ctx);
    const maxOpenBytes = await getMaxOpenBytes(ctx);
    if ((await sumOpenBytes(ctx)) + size > maxOpenBytes) throw tooManyOpenBytesError(maxOpenBytes);
    await ctx.db.insert(uploadReservations).values({ id, user_id: ctx.user.id, size, expires_at });
  });
  const isReservation = eq(uploadReservations.id, id);
  const logFailure = (error: unknown) => ctx.log.warn({ err: error }, 'could not update the reservation of an upload');
  const timer = setInterval(() => {
    ctx.db.update(uploadReservations).set({ expires_at }).where(isReservation).catch(logFailure);
  }, RESERVATION_RENEWAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // A row that cannot be deleted expires.
    await ctx.db.delete(uploadReservations).where(isReservation).catch(logFailure);
  }
}
