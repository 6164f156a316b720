import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { isUploadPath } from '#platform/server/storage/upload-path.ts';
import type { AttachmentType } from './attachment.contract.ts';
import { attachments } from './attachment.table.ts';

/** Storing, linking and removing one file exclude each other. Ends with the transaction. */
export const lockFile = (ctx: Context, path: string) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${path}, 0))`);

/**
 * Says which uploaded files the row `typeId` uses now; files it no longer uses become unused and
 * are removed in time. Call it inside the transaction that saves the row. Returns the paths of which
 * there is no file.
 */
export async function linkAttachments(
  ctx: Context,
  type: AttachmentType,
  typeId: number,
  paths: string[],
): Promise<string[]> {
  // In one order, so that two transactions never wait for each other.
  const wanted = [...new Set(paths.filter(isUploadPath))].sort();
  await ctx.db
    .update(attachments)
    .set({ type_id: 0 })
    .where(and(usedBy(type, [typeId]), notInArray(attachments.path, wanted)));
  const missing: string[] = [];
  for (const path of wanted) {
    await lockFile(ctx, path);
    const isLinked = (await linkOne(ctx, type, typeId, path)) || (await copyOne(ctx, type, typeId, path));
    if (!isLinked) missing.push(path);
  }
  return missing;
}

/** The rows are deleted: what they used is used no longer. */
export async function releaseAttachments(ctx: Context, type: AttachmentType, typeIds: number[]) {
  if (typeIds.length === 0) return;
  await ctx.db.update(attachments).set({ type_id: 0 }).where(usedBy(type, typeIds));
}

const usedBy = (type: AttachmentType, typeIds: number[]) =>
  and(eq(attachments.type, type), inArray(attachments.type_id, typeIds));

/** Takes the row that already stands for this use, or one that waits for its use. */
async function linkOne(ctx: Context, type: AttachmentType, typeId: number, path: string) {
  const candidate = ctx.db
    .select({ id: attachments.id })
    .from(attachments)
    .where(and(eq(attachments.path, path), eq(attachments.type, type), inArray(attachments.type_id, [0, typeId])))
    .orderBy(sql`${attachments.type_id} desc`, attachments.id)
    .limit(1);
  const linked = await ctx.db
    .update(attachments)
    .set({ type_id: typeId })
    .where(inArray(attachments.id, candidate))
    .returning({ id: attachments.id });
  return linked.length > 0;
}

/** The file is in use elsewhere: this use gets a row of its own. */
async function copyOne(ctx: Context, type: AttachmentType, typeId: number, path: string) {
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
