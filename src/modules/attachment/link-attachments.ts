import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { isPictureUploadPath } from '#platform/server/storage/picture-upload-path.ts';
import type { AttachmentType } from './attachment.contract.ts';
import { attachments } from './attachment.table.ts';

/** Serializes storing, linking and removing of one file until the transaction ends. */
export const lockFile = (ctx: Context, path: string) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${path}, 0))`);

/**
 * Sets the uploaded files that the row `typeId` uses. Files that it no longer uses become unused and are deleted later.
 * Call it inside the transaction that saves the row. Returns the paths without a file.
 */
export async function linkAttachments(
  ctx: Context,
  type: AttachmentType,
  typeId: number,
  paths: string[],
): Promise<string[]> {
  // A fixed order prevents deadlocks.
  const requestedPaths = [...new Set(paths.filter(isPictureUploadPath))].sort();
  await ctx.db
    .update(attachments)
    .set({ type_id: 0 })
    .where(and(usedByRowsCondition(type, [typeId]), notInArray(attachments.path, requestedPaths)));
  const missingPaths: string[] = [];
  for (const path of requestedPaths) {
    await lockFile(ctx, path);
    const isLinked =
      (await linkUnusedAttachment(ctx, type, typeId, path)) || (await linkCopyOfAttachment(ctx, type, typeId, path));
    if (!isLinked) missingPaths.push(path);
  }
  return missingPaths;
}

/** Marks the files of deleted rows as unused. */
export async function releaseAttachments(ctx: Context, type: AttachmentType, typeIds: number[]) {
  if (typeIds.length === 0) return;
  await ctx.db.update(attachments).set({ type_id: 0 }).where(usedByRowsCondition(type, typeIds));
}

const usedByRowsCondition = (type: AttachmentType, typeIds: number[]) =>
  and(eq(attachments.type, type), inArray(attachments.type_id, typeIds));

/** Uses the attachment that is already linked, or one that is still unused. */
async function linkUnusedAttachment(ctx: Context, type: AttachmentType, typeId: number, path: string) {
  const candidate = ctx.db
    .select({ id: attachments.id })
    .from(attachments)
    .where(and(eq(attachments.path, path), eq(attachments.type, type), inArray(attachments.type_id, [0, typeId])))
    .orderBy(sql`${attachments.type_id} desc`, attachments.id)
    .limit(1);
  const linkedRows = await ctx.db
    .update(attachments)
    .set({ type_id: typeId })
    .where(inArray(attachments.id, candidate))
    .returning({ id: attachments.id });
  return linkedRows.length > 0;
}

/** Another row uses the file, so this use gets a separate attachment. */
async function linkCopyOfAttachment(ctx: Context, type: AttachmentType, typeId: number, path: string) {
  const [original] = await ctx.db.select().from(attachments).where(eq(attachments.path, path)).limit(1);
  if (!original) return false;
  const { hash, name, size, width, height, ext } = original;
  await ctx.db.insert(attachments).values({
    hash,
    path,
    name,
    size,
    width,
    height,
    ext,
    type,
    type_id: typeId,
    user_id: ctx.user?.id ?? original.user_id,
    ip: ctx.client.ip,
    created_at: ctx.now().toISOString(),
  });
  return true;
}
