import { randomBytes, randomUUID } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { and, count, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { toDisplayFileName } from '#modules/attachment/store-uploaded-image.ts';
import { conversionErrors } from '#modules/conversion/conversion.contract.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { claimUpload, type UploadClaim } from './claim-upload.ts';
import { toStorageError } from './storage-error.ts';
import { uploadErrors } from './upload.contract.ts';
import { uploadChallenges, uploadReservations, uploads } from './upload.table.ts';
import { assertOpenUploadQuota } from './upload-quota.ts';
import { validateUpload } from './upload-rules.ts';

export type UploadRow = typeof uploads.$inferSelect;

const MAX_OPEN_UPLOADS = 500;
const MAX_SILENCE_MS = 30_000;
const CANCEL_ATTEMPTS = 15;
const CANCEL_POLL_MS = 200;
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
 * Appends one part. While another request sends a part of the same upload, the part is rejected with 423 before its body
 * is read, so that an upload never occupies more than its announced size. An interrupted part leaves nothing behind.
 */
export async function appendPart(
  ctx: UserContext,
  { id, offset }: { id: string; offset: number },
  body: Readable,
): Promise<UploadRow> {
  const upload = await findUpload(ctx, id);
  if (upload.received !== offset) throw uploadErrors.wrongOffset();
  if (upload.attachment_id !== null) return upload;
  const claim = await claimUpload(ctx, id);
  if (!claim) throw uploadErrors.locked();
  try {
    if (claim.upload.received !== offset) throw uploadErrors.wrongOffset();
    return await storePart(ctx, claim, body);
  } finally {
    await claim.release();
  }
}

async function storePart(ctx: UserContext, { upload, holdsClaim }: UploadClaim, body: Readable): Promise<UploadRow> {
  const { id, parts, received } = upload;
  const key = `${partsFolder(id)}${String(parts.length).padStart(6, '0')}-${randomUUID()}`;
  const part = enforceBodyLength(body, upload.size - received);
  const { size } = await ctx.storage.put(key, part.stream).catch((error: unknown) => {
    throw part.failure() ?? toStorageError(ctx, error);
  });
  const [updatedRow] = await ctx.db
    .update(uploads)
    .set({ received: received + size, parts: sql`array_append(${uploads.parts}, ${key})` })
    .where(and(holdsClaim, eq(uploads.received, received)))
    .returning();
  if (updatedRow) return updatedRow;
  await ctx.storage.delete(key);
  throw uploadErrors.wrongOffset();
}

/** Fails when the body is longer or shorter than announced, and when the sender is silent for too long. */
function enforceBodyLength(body: Readable, maxBytes: number) {
  const stream = new PassThrough();
  let size = 0;
  // A connection that broke without notice would lock the upload; the browser continues over a new connection.
  const silenceTimer = setTimeout(() => {
    // While the body is paused, the storage is slow, not the sender.
    if (body.isPaused()) return void silenceTimer.refresh();
    fail(uploadErrors.broken());
    body.destroy();
  }, MAX_SILENCE_MS);
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure ??= error;
    stream.destroy(error);
  };
  // The stream may fail before the storage reads it; the caller checks `failure`.
  stream.on('error', () => {});
  body.on('data', (chunk: Buffer) => {
    size += chunk.length;
    silenceTimer.refresh();
    if (size > maxBytes) fail(uploadErrors.tooLarge('发送的内容比声明的多'));
    else if (!stream.destroyed && !stream.write(chunk)) body.pause();
  });
  stream.on('drain', () => body.resume());
  body.once('end', () => stream.end());
  stream.once('close', () => clearTimeout(silenceTimer));
  const failIfIncomplete = () => body.readableEnded || fail(uploadErrors.broken());
  body.once('close', failIfIncomplete);
  // The connection may have closed before this function was called.
  if (body.destroyed) failIfIncomplete();
  return { stream, failure: () => failure };
}

/** Cancels an upload of the user. A part that is still being received occupies storage, so its end is awaited. */
export async function cancelUpload(ctx: UserContext, id: string): Promise<void> {
  await findUpload(ctx, id);
  for (let attemptsLeft = CANCEL_ATTEMPTS; attemptsLeft > 0; attemptsLeft--) {
    const claim = await claimUpload(ctx, id);
    if (claim) return deleteUpload(ctx, id).finally(claim.release);
    if ((await findUpload(ctx, id)).attachment_id !== null) return deleteUpload(ctx, id);
    await wait(CANCEL_POLL_MS);
  }
  throw uploadErrors.locked();
}

export async function deleteUpload(ctx: UserContext, id: string): Promise<void> {
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

/** Deletes abandoned uploads, unanswered challenges and reservations of killed processes. */
export const deleteExpiredUploads = defineJob({
  name: 'delete-abandoned-uploads',
  input: z.object({}),
  run: async (ctx: Context, _input, { signal }) => {
    const before = new Date(ctx.now().getTime() - UPLOAD_EXPIRY_MS).toISOString();
    await ctx.db.delete(uploadChallenges).where(lt(uploadChallenges.expires_at, ctx.now().toISOString()));
    await ctx.db.delete(uploadReservations).where(lt(uploadReservations.expires_at, sql`now()`));
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
