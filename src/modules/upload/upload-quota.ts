import { and, eq, isNull, sql } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import type { UserContext } from '#platform/server/context.ts';
import { uploadErrors } from './upload.contract.ts';
import { uploads } from './upload.table.ts';

const MB = 1024 * 1024;

const toNumber = (value: string | null | undefined) => Number(value ?? 0);

/** Serializes the quota checks of one user until the transaction ends. */
const lockQuota = (ctx: UserContext) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext('upload-quota'), hashint8(${ctx.user.id}))`);

/** Announced bytes of open uploads, so that concurrent uploads cannot exceed a limit. */
async function sumOpenBytes(ctx: UserContext): Promise<number> {
  const [row] = await ctx.db
    .select({ total: sql<string>`sum(${uploads.size})` })
    .from(uploads)
    .where(and(eq(uploads.user_id, ctx.user.id), isNull(uploads.attachment_id)));
  return toNumber(row?.total);
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

/** Rejects a new upload that would exceed the limit of open uploads or of all files of the user. */
export async function assertOpenUploadQuota(ctx: UserContext, size: number): Promise<void> {
  await lockQuota(ctx);
  const limits = await getUploadLimits(ctx);
  const announcedBytes = (await sumOpenBytes(ctx)) + size;
  if (announcedBytes > limits.open)
    throw uploadErrors.quotaReached(`未完成的上传已达到 ${formatSize(limits.open)} 的上限，请先完成或取消它们`);
  if (limits.stored === Number.POSITIVE_INFINITY) return;
  if ((await sumStoredBytes(ctx, '')) + announcedBytes > limits.stored) throw storageFullError(limits.stored);
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
