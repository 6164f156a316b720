import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { and, count, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { deleteUnusedUpload } from '#modules/attachment/document-attachments.ts';
import { toDisplayFileName } from '#modules/attachment/store-uploaded-image.ts';
import { conversionErrors } from '#modules/conversion/conversion.contract.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { isArchiveName } from './archive/archive.contract.ts';
import { type Checksum, verifyChecksum } from './checksum.ts';
import { leaseUpload, type UploadLease } from './lease-upload.ts';
import { toUploadStorageError } from './storage-error.ts';
import { uploadErrors } from './upload.contract.ts';
import { uploadChallenges, uploadReservations, uploads } from './upload.table.ts';
import { assertOpenUploadQuota } from './upload-quota.ts';
import { assertMayUpload, validateUpload } from './upload-rules.ts';

export type UploadRow = typeof uploads.$inferSelect;

const MAX_OPEN_UPLOADS = 500;
const MAX_SILENCE_MS = 30_000;
const CANCEL_ATTEMPTS = 15;
const CANCEL_POLL_MS = 200;
export const UPLOAD_EXPIRY_MS = 24 * 60 * 60 * 1000;

export const partsFolder = (id: string) => `incoming/${id}/`;

export async function createUpload(
  ctx: UserContext,
  { id, size, ...file }: { id: string; name: string; size: number },
): Promise<void> {
  const name = toDisplayFileName(file.name);
  if (size === 0) throw conversionErrors.empty();
  // The size of an archive is limited like that of all open uploads.
  if (isArchiveName(name)) await assertMayUpload(ctx);
  else await validateUpload(ctx, name, size);
  await inTransaction(ctx, async (ctx) => {
    await assertOpenUploadQuota(ctx, size);
    const [openUploads] = await ctx.db
      .select({ total: count() })
      .from(uploads)
      .where(and(eq(uploads.user_id, ctx.user.id), isNull(uploads.attachment_id)));
    if ((openUploads?.total ?? 0) >= MAX_OPEN_UPLOADS) throw uploadErrors.tooMany();
    await ctx.db.insert(uploads).values({ id, user_id: ctx.user.id, name, size });
  });
}

export async function* readParts({ storage }: Context, keys: string[]): AsyncGenerator<Buffer> {
  for (const key of keys) yield* (await storage.get(key)).stream;
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

/** Appends one part to a leased upload. An interrupted or damaged part leaves nothing behind. */
export async function storePart(
  ctx: UserContext,
  { upload, holdsLease }: UploadLease,
  body: Readable,
  checksum: Checksum | null,
): Promise<UploadRow> {
  const { id, parts, received } = upload;
  const key = `${partsFolder(id)}${String(parts.length).padStart(6, '0')}-${randomUUID()}`;
  const bytes = failOnSilence(body);
  const part = Readable.from(checksum ? verifyChecksum(bytes, checksum) : bytes, { objectMode: false });
  const { size } = await ctx.storage.put(key, part).catch((error: unknown) => {
    throw body.readableAborted ? uploadErrors.broken() : toUploadStorageError(ctx, error);
  });
  const [updatedRow] = await ctx.db
    .update(uploads)
    .set({ received: received + size, parts: sql`array_append(${uploads.parts}, ${key})` })
    .where(and(holdsLease, eq(uploads.received, received)))
    .returning();
  if (updatedRow) return updatedRow;
  await ctx.storage.delete(key);
  throw uploadErrors.wrongOffset();
}

/** A connection that broke without notice would lock the upload; the browser continues over a new connection. */
async function* failOnSilence(body: Readable): AsyncGenerator<Buffer> {
  const startTimer = () => setTimeout(() => body.destroy(uploadErrors.broken()), MAX_SILENCE_MS);
  let timer = startTimer();
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      // While the storage is slow, the sender is not silent.
      clearTimeout(timer);
      yield chunk;
      timer = startTimer();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Cancels an upload of the user. A part that is still being received occupies storage, so its end is awaited. */
export async function cancelUpload(ctx: UserContext, id: string): Promise<void> {
  await findUpload(ctx, id);
  for (let attemptsLeft = CANCEL_ATTEMPTS; attemptsLeft > 0; attemptsLeft--) {
    const lease = await leaseUpload(ctx, id);
    if (lease) return deleteUpload(ctx, id).finally(lease.release);
    const { attachment_id } = await findUpload(ctx, id);
    if (attachment_id !== null) {
      // A file that became a document stays.
      await inTransaction(ctx, (ctx) => deleteUnusedUpload(ctx, attachment_id));
      return deleteUpload(ctx, id);
    }
    await wait(CANCEL_POLL_MS);
  }
  throw uploadErrors.locked();
}

export async function deleteUpload(ctx: UserContext, id: string): Promise<void> {
  // The parts first: the cleanup job finds parts only by their row.
  await ctx.storage.deletePrefix(partsFolder(id));
  await ctx.db.delete(uploads).where(and(eq(uploads.id, id), eq(uploads.user_id, ctx.user.id)));
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
