import { and, eq, isNull, sql } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { formatSize } from '#platform/contract/format.ts';
import type { UserContext } from '#platform/server/context.ts';
import { uploadErrors } from './upload.contract.ts';
import { uploads } from './upload.table.ts';

const MB = 1024 * 1024;

const totalOf = (value: string | null | undefined) => Number(value ?? 0);

/** Within a transaction: uploads of one user are counted one after the other until it ends. */
const lockQuota = (ctx: UserContext) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext('upload-quota'), hashint8(${ctx.user.id}))`);

/** Bytes that uploads under way have announced, so that many at the same time cannot exceed a limit. */
async function openBytes(ctx: UserContext): Promise<number> {
  const [row] = await ctx.db
    .select({ total: sql<string>`sum(${uploads.size})` })
    .from(uploads)
    .where(and(eq(uploads.user_id, ctx.user.id), isNull(uploads.attachment_id)));
  return totalOf(row?.total);
}

/** Bytes of the document files of a user; equal files are stored once. */
async function storedBytes(ctx: UserContext, exceptHash: string): Promise<number> {
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
  return totalOf(row?.total);
}

async function limitsOf(ctx: UserContext) {
  const { max_document_size, max_open_upload_size, max_user_storage } = (await getSettings(ctx)).security;
  const bytes = (megabytes: number) => (megabytes > 0 ? megabytes * MB : Number.POSITIVE_INFINITY);
  return {
    // One file of the largest permitted size always fits.
    open: Math.max(bytes(max_open_upload_size), max_document_size * MB),
    stored: ctx.user.root ? Number.POSITIVE_INFINITY : bytes(max_user_storage),
  };
}

const storageFull = (limit: number) =>
  uploadErrors.quotaReached(`您上传的文件已达到 ${formatSize(limit)} 的上限，请删除不需要的文档并清空回收站后再试`);

/** Refuses a new upload that would exceed what its user may have under way or in all. */
export async function checkOpenUpload(ctx: UserContext, size: number): Promise<void> {
  await lockQuota(ctx);
  const limits = await limitsOf(ctx);
  const announced = (await openBytes(ctx)) + size;
  if (announced > limits.open)
    throw uploadErrors.quotaReached(`未完成的上传已达到 ${formatSize(limits.open)} 的上限，请先完成或取消它们`);
  if (limits.stored === Number.POSITIVE_INFINITY) return;
  if ((await storedBytes(ctx, '')) + announced > limits.stored) throw storageFull(limits.stored);
}

/** Refuses a complete file that would exceed what its user may have in all. */
export async function checkStoredFile(ctx: UserContext, { hash, size }: { hash: string; size: number }): Promise<void> {
  const { stored } = await limitsOf(ctx);
  if (stored === Number.POSITIVE_INFINITY) return;
  await lockQuota(ctx);
  if ((await storedBytes(ctx, hash)) + size > stored) throw storageFull(stored);
}
