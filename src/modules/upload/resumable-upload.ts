import { randomBytes, randomUUID } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { and, count, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { toDisplayFileName } from '#modules/attachment/store-uploaded-image.ts';
import { conversionErrors } from '#modules/conversion/conversion.contract.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { toStorageError } from './storage-error.ts';
import { uploadErrors } from './upload.contract.ts';
import { uploadChallenges, uploads } from './upload.table.ts';
import { assertOpenUploadQuota } from './upload-quota.ts';
import { validateUpload } from './upload-rules.ts';

export type UploadRow = typeof uploads.$inferSelect;

const MAX_OPEN_UPLOADS = 500;
export const UPLOAD_EXPIRY_MS = 24 * 60 * 60 * 1000;

export const partsFolder = (id: string) => `incoming/${id}/`;

export async function createUpload(ctx: UserContext, file: { name: string; size: number }): Promise<UploadRow> {
  const name = toDisplayFileName(file.name);
  if (file.size === 0) throw conversionErrors.empty();
  await validateUpload(ctx, name, file.size);
  return inTransaction(ctx, async (ctx) => {
    await assertOpenUploadQuota(ctx, file.size);
    const [openUploads] = await ctx.db
      .select({ total: count() })
      .from(uploads)
      .where(and(eq(uploads.user_id, ctx.user.id), isNull(uploads.attachment_id)));
    if ((openUploads?.total ?? 0) >= MAX_OPEN_UPLOADS) throw uploadErrors.tooMany();
    const [upload] = await ctx.db
      .insert(uploads)
      .values({ id: randomBytes(16).toString('hex'), user_id: ctx.user.id, name, size: file.size })
      .returning();
    if (!upload) throw new Error('the insert returned no row');
    return upload;
  });
}

/** Upload of another user is reported as not found. */
export async function findUpload(ctx: UserContext, id: string): Promise<UploadRow> {
  const [upload] = await ctx.db
    .select()
    .from(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.user_id, ctx.user.id)));
  if (!upload) throw uploadErrors.notFound();
  return upload;
}

/**
 * Appends one part. A concurrent request with the same part is rejected with 409; an interrupted part leaves nothing
 * behind.
 */
export async function appendPart(
  ctx: UserContext,
  { id, offset }: { id: string; offset: number },
  body: Readable,
): Promise<UploadRow> {
  const upload = await findUpload(ctx, id);
  if (upload.received !== offset) throw uploadErrors.wrongOffset();
  const key = `${partsFolder(id)}${String(upload.parts.length).padStart(6, '0')}-${randomUUID()}`;
  const part = enforceBodyLength(body, upload.size - offset);
  const { size } = await ctx.storage.put(key, part.stream).catch((error: unknown) => {
    throw part.failure() ?? toStorageError(ctx, error);
  });
  const [updatedRow] = await ctx.db
    .update(uploads)
    .set({ received: offset + size, parts: sql`array_append(${uploads.parts}, ${key})` })
    .where(and(eq(uploads.id, id), eq(uploads.received, offset)))
    .returning();
  if (updatedRow) return updatedRow;
  await ctx.storage.delete(key);
  throw uploadErrors.wrongOffset();
}

/** Fails when the body is longer or shorter than announced. */
function enforceBodyLength(body: Readable, maxBytes: number) {
  const stream = new PassThrough();
  let size = 0;
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure ??= error;
    stream.destroy(error);
  };
  // The stream may fail before the storage reads it; the caller checks `failure`.
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
  return { stream, failure: () => failure };
}

export async function cancelUpload(ctx: UserContext, id: string): Promise<void> {
  await ctx.db.delete(uploads).where(and(eq(uploads.id, id), eq(uploads.user_id, ctx.user.id)));
  await ctx.storage.deletePrefix(partsFolder(id));
}

export async function listUploads(ctx: UserContext) {
  const upload = await ctx.db
    .select()
    .from(uploads)
    .where(and(eq(uploads.user_id, ctx.user.id), isNull(uploads.attachment_id)))
    .orderBy(desc(uploads.created_at))
    .limit(MAX_OPEN_UPLOADS);
  return { upload };
}

/** Deletes abandoned uploads and unanswered challenges. */
export const deleteExpiredUploads = defineJob({
  name: 'delete-abandoned-uploads',
  input: z.object({}),
  run: async (ctx: Context, _input, { signal }) => {
    const before = new Date(ctx.now().getTime() - UPLOAD_EXPIRY_MS).toISOString();
    await ctx.db.delete(uploadChallenges).where(lt(uploadChallenges.expires_at, ctx.now().toISOString()));
    while (!signal.aborted) {
      const expiredRows = await ctx.db
        .select({ id: uploads.id })
        .from(uploads)
        .where(lt(uploads.updated_at, before))
        .limit(100);
      for (const { id } of expiredRows) {
        await ctx.storage.deletePrefix(partsFolder(id));
        await ctx.db.delete(uploads).where(eq(uploads.id, id));
      }
      if (expiredRows.length < 100) return;
    }
  },
});
