import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { uploadErrors } from './upload.contract.ts';
import { uploadReservations, uploads } from './upload.table.ts';

const MB = 1024 * 1024;
const RESERVATION_SECONDS = 60;
const RESERVATION_RENEWAL_MS = 10_000;

const toNumber = (value: string | null | undefined) => Number(value ?? 0);

/** Serializes the quota checks of one user until the transaction ends. */
const lockQuota = (ctx: UserContext) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext('upload-quota'), hashint8(${ctx.user.id}))`);

/** Announced bytes of open uploads of both methods, so that concurrent uploads cannot exceed a limit. */
async function sumOpenBytes(ctx: UserContext): Promise<number> {
  const [resumable] = await ctx.db
    .select({ total: sql<string>`sum(${uploads.size})` })
    .from(uploads)
    .where(and(eq(uploads.user_id, ctx.user.id), isNull(uploads.attachment_id)));
  const [reserved] = await ctx.db
    .select({ total: sql<string>`sum(${uploadReservations.size})` })
    .from(uploadReservations)
    .where(and(eq(uploadReservations.user_id, ctx.user.id), gt(uploadReservations.expires_at, sql`now()`)));
  return toNumber(resumable?.total) + toNumber(reserved?.total);
}

/** Equal files of a user count once. */
async function sumStoredBytes(ctx: UserContext, exceptHash: string): Promise<number> {
  const files = ctx.db
    .selectDistinct({ hash: attachments.hash, size: attachments.size })
    .from(attachments)
    .where(
      and(
        eq(attachments.user_id, ctx.user.id),
        eq(attachments.type, attachmentTypes.document),
        sql`${attachments.hash} <> ${exceptHash}`,
      ),
    )
    .as('files');
  const [row] = await ctx.db.select({ total: sql<string>`sum(${files.size})` }).from(files);
  return toNumber(row?.total);
}

async function getUploadLimits(ctx: UserContext) {
  const { max_document_size, max_open_upload_size, max_user_storage } = (await getSettings(ctx)).security;
  const toBytes = (megabytes: number) => (megabytes > 0 ? megabytes * MB : Number.POSITIVE_INFINITY);
  return {
    // One file of the largest permitted size must always fit.
    open: Math.max(toBytes(max_open_upload_size), max_document_size * MB),
    stored: ctx.user.isRoot ? Number.POSITIVE_INFINITY : toBytes(max_user_storage),
  };
}

const storageFullError = (limit: number) =>
  uploadErrors.quotaReached(`您上传的文件已达到 ${formatSize(limit)} 的上限，请删除不需要的文档并清空回收站后再试`);

const tooManyOpenBytesError = (limit: number) =>
  uploadErrors.quotaReached(`未完成的上传已达到 ${formatSize(limit)} 的上限，请先完成或取消它们`);

/** Rejects a new upload that would exceed the limit of open uploads or of all files of the user. */
export async function assertOpenUploadQuota(ctx: UserContext, size: number): Promise<void> {
  await lockQuota(ctx);
  const limits = await getUploadLimits(ctx);
  const announcedBytes = (await sumOpenBytes(ctx)) + size;
  if (announcedBytes > limits.open) throw tooManyOpenBytesError(limits.open);
  if (limits.stored === Number.POSITIVE_INFINITY) return;
  if ((await sumStoredBytes(ctx, '')) + announcedBytes > limits.stored) throw storageFullError(limits.stored);
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
    const { open: maxOpenBytes } = await getUploadLimits(ctx);
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

/** Rejects a complete file that would exceed the limit of all files of the user. */
export async function assertStorageQuota(
  ctx: UserContext,
  { hash, size }: { hash: string; size: number },
): Promise<void> {
  const { stored: maxStoredBytes } = await getUploadLimits(ctx);
  if (maxStoredBytes === Number.POSITIVE_INFINITY) return;
  await lockQuota(ctx);
  if ((await sumStoredBytes(ctx, hash)) + size > maxStoredBytes) throw storageFullError(maxStoredBytes);
}
