import { randomBytes, randomUUID } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { and, count, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { shownName } from '#modules/attachment/receive-image.ts';
import { conversionErrors } from '#modules/conversion/conversion.contract.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { storingError } from './storing-error.ts';
import { uploadErrors } from './upload.contract.ts';
import { uploadChallenges, uploads } from './upload.table.ts';
import { checkOpenUpload } from './upload-quota.ts';
import { checkUpload } from './upload-rules.ts';

export type Upload = typeof uploads.$inferSelect;

const MAX_OPEN = 500;
export const UPLOAD_EXPIRY_MS = 24 * 60 * 60 * 1000;

export const folderOf = (id: string) => `incoming/${id}/`;

export async function createUpload(ctx: UserContext, file: { name: string; size: number }): Promise<Upload> {
  const name = shownName(file.name);
  if (file.size === 0) throw conversionErrors.empty();
  await checkUpload(ctx, name, file.size);
  return inTransaction(ctx, async (ctx) => {
    await checkOpenUpload(ctx, file.size);
    const [open] = await ctx.db
      .select({ total: count() })
      .from(uploads)
      .where(and(eq(uploads.user_id, ctx.user.id), isNull(uploads.attachment_id)));
    if ((open?.total ?? 0) >= MAX_OPEN) throw uploadErrors.tooMany();
    const [upload] = await ctx.db
      .insert(uploads)
      .values({ id: randomBytes(16).toString('hex'), user_id: ctx.user.id, name, size: file.size })
      .returning();
    if (!upload) throw new Error('the insert returned no row');
    return upload;
  });
}

/** Only its owner learns that there is such an upload. */
export async function findUpload(ctx: UserContext, id: string): Promise<Upload> {
  const [upload] = await ctx.db
    .select()
    .from(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.user_id, ctx.user.id)));
  if (!upload) throw uploadErrors.notFound();
  return upload;
}

/**
 * Stores one part behind those there are. Whoever else sends the same part meanwhile is told to look
 * again; what breaks off leaves nothing behind.
 */
export async function appendPart(
  ctx: UserContext,
  { id, offset }: { id: string; offset: number },
  body: Readable,
): Promise<Upload> {
  const upload = await findUpload(ctx, id);
  if (upload.received !== offset) throw uploadErrors.wrongOffset();
  const key = `${folderOf(id)}${String(upload.parts.length).padStart(6, '0')}-${randomUUID()}`;
  const part = limited(body, upload.size - offset);
  const { size } = await ctx.storage.put(key, part.stream).catch((error: unknown) => {
    throw part.problem() ?? storingError(ctx, error);
  });
  const [changed] = await ctx.db
    .update(uploads)
    .set({ received: offset + size, parts: sql`array_append(${uploads.parts}, ${key})` })
    .where(and(eq(uploads.id, id), eq(uploads.received, offset)))
    .returning();
  if (changed) return changed;
  await ctx.storage.delete(key);
  throw uploadErrors.wrongOffset();
}

/** Fails as soon as more comes than was announced, or less. */
function limited(body: Readable, maxBytes: number) {
  const stream = new PassThrough();
  let size = 0;
  let problem: Error | null = null;
  const fail = (error: Error) => {
    problem ??= error;
    stream.destroy(error);
  };
  // It may fail before anybody reads it; whoever does asks for the problem.
  stream.on('error', () => {});
  body.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) fail(uploadErrors.tooLarge('发送的内容比声明的多'));
    else if (!stream.destroyed && !stream.write(chunk)) body.pause();
  });
  stream.on('drain', () => body.resume());
  body.once('end', () => stream.end());
  body.once('close', () => {
    if (!body.readableEnded) fail(uploadErrors.broken());
  });
  return { stream, problem: () => problem };
}

export async function cancelUpload(ctx: UserContext, id: string): Promise<void> {
  await ctx.db.delete(uploads).where(and(eq(uploads.id, id), eq(uploads.user_id, ctx.user.id)));
  await ctx.storage.deletePrefix(folderOf(id));
}

export async function listUploads(ctx: UserContext) {
  const upload = await ctx.db
    .select()
    .from(uploads)
    .where(and(eq(uploads.user_id, ctx.user.id), isNull(uploads.attachment_id)))
    .orderBy(desc(uploads.created_at))
    .limit(MAX_OPEN);
  return { upload };
}

/** Uploads nobody went on with, and questions nobody answered. */
export const removeOldUploads = defineJob({
  name: 'remove-old-uploads',
  input: z.object({}),
  run: async (ctx: Context, _input, { signal }) => {
    const before = new Date(ctx.now().getTime() - UPLOAD_EXPIRY_MS).toISOString();
    await ctx.db.delete(uploadChallenges).where(lt(uploadChallenges.expires_at, ctx.now().toISOString()));
    while (!signal.aborted) {
      const old = await ctx.db
        .select({ id: uploads.id })
        .from(uploads)
        .where(lt(uploads.updated_at, before))
        .limit(100);
      for (const { id } of old) {
        await ctx.storage.deletePrefix(folderOf(id));
        await ctx.db.delete(uploads).where(eq(uploads.id, id));
      }
      if (old.length < 100) return;
    }
  },
});
