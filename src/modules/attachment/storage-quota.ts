import { and, eq, ne, sql } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import type { UserContext } from '#platform/server/context.ts';
import { fileErrors } from './attachment.contract.ts';
import { attachments } from './attachment.table.ts';

const MB = 1024 * 1024;

/** A setting in MB as bytes; 0 means no limit. */
export const megabyteLimitToBytes = (megabytes: number) => (megabytes > 0 ? megabytes * MB : Number.POSITIVE_INFINITY);

/** Serializes the quota checks of one user until the transaction ends. */
export const lockQuota = (ctx: UserContext) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext('upload-quota'), hashint8(${ctx.user.id}))`);

/** Bytes of the documents and pictures of the user. Equal files count once. */
async function sumStoredBytes(ctx: UserContext, exceptPath: string): Promise<number> {
  const files = ctx.db
    .selectDistinct({ path: attachments.path, size: attachments.size })
    .from(attachments)
    .where(and(eq(attachments.user_id, ctx.user.id), ne(attachments.path, exceptPath)))
    .as('files');
  const [row] = await ctx.db.select({ total: sql<string | null>`sum(${files.size})` }).from(files);
  return Number(row?.total ?? 0);
}

/**
 * Rejects a file that would exceed the limit of all files of the user. Call it in the transaction that inserts the
 * attachment: its lock lasts until the commit.
 */
export async function assertStorageQuota(
  ctx: UserContext,
  { path, size }: { path: string; size: number },
): Promise<void> {
  const { max_user_storage } = (await getSettings(ctx)).security;
  const limit = ctx.user.isRoot ? Number.POSITIVE_INFINITY : megabyteLimitToBytes(max_user_storage);
  if (limit === Number.POSITIVE_INFINITY) return;
  await lockQuota(ctx);
  if ((await sumStoredBytes(ctx, path)) + size > limit)
    throw fileErrors.quotaReached(
      `您上传的文件已达到 ${formatSize(limit)} 的上限，请删除不需要的文档并清空回收站后再试`,
    );
}
