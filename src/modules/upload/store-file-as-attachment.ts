import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { assertFileAllowed } from '#modules/attachment/assert-file-allowed.ts';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { assertStorageQuota } from '#modules/attachment/storage-quota.ts';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { detectFormat } from '#modules/conversion/detect-format.ts';
import { fileByteSource } from '#modules/conversion/file-byte-source.ts';
import { lockOriginal, originalPath } from '#modules/conversion/lock-original.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { toUploadStorageError } from './storage-error.ts';
import { uploadErrors } from './upload.contract.ts';
import { allowedStoredExtension } from './upload-rules.ts';

export const DOCUMENT_ATTACHMENT_TYPE = attachmentTypes.document;

/** Another request may erase the same file repeatedly. */
const MAX_STORE_ATTEMPTS = 5;

type UploadedFile = { hash: string; size: number; name: string; extension: string };
type DetectedFile = UploadedFile & { format: FileFormat };
type OnAdded = (ctx: UserContext, file: DetectedFile & { id: number }) => Promise<void>;

/**
 * Turns a complete local file into an attachment, or rejects it with a reason. The content decides under which of the
 * possible extensions it is stored. `onAdded` runs in the same transaction.
 */
export async function storeFileAsAttachment(
  ctx: UserContext,
  file: string,
  uploadedFile: UploadedFile,
  onAdded?: OnAdded,
): Promise<{ id: number; format: FileFormat }> {
  const handle = await open(file, 'r');
  try {
    const format = await detectFormat(fileByteSource(handle, uploadedFile.size), uploadedFile.extension);
    const extension = await allowedStoredExtension(ctx, uploadedFile.extension, format);
    await assertFileAllowed(ctx, uploadedFile.hash);
    for (let attemptsLeft = MAX_STORE_ATTEMPTS; attemptsLeft > 0; attemptsLeft--) {
      await storeOriginalIfMissing(ctx, file, uploadedFile).catch((error: unknown) => {
        throw toUploadStorageError(ctx, error);
      });
      const id = await addAttachment(ctx, { ...uploadedFile, extension, format }, onAdded);
      if (id !== null) return { format, id };
    }
    throw uploadErrors.storageFailed();
  } finally {
    await handle.close();
  }
}

/** Runs outside of a transaction because it may take long; `addAttachment` checks again inside one. */
async function storeOriginalIfMissing(ctx: UserContext, file: string, uploadedFile: UploadedFile): Promise<void> {
  if (!(await isStored(ctx, uploadedFile)))
    await ctx.storage.put(originalKey(uploadedFile.hash), createReadStream(file));
}

const isStored = async ({ storage }: UserContext, { hash, size }: UploadedFile) =>
  (await storage.stat(originalKey(hash)))?.size === size;

/** Adds the attachment of a stored file; null when the file was erased in the meantime. */
export const addAttachment = (
  ctx: UserContext,
  uploadedFile: DetectedFile,
  onAdded: OnAdded = async () => {},
): Promise<number | null> =>
  inTransaction(ctx, async (ctx) => {
    const { hash, size, name, extension } = uploadedFile;
    await assertStorageQuota(ctx, { path: originalPath(hash), size });
    await lockOriginal(ctx, hash);
    await assertFileAllowed(ctx, hash);
    if (!(await isStored(ctx, uploadedFile))) return null;
    const [row] = await ctx.db
      .insert(attachments)
      .values({
        hash,
        size,
        name,
        ext: `.${extension}`,
        type: DOCUMENT_ATTACHMENT_TYPE,
        path: originalPath(hash),
        user_id: ctx.user.id,
        ip: ctx.client.ip,
        created_at: ctx.now().toISOString(),
      })
      .returning({ id: attachments.id });
    if (!row) throw new Error('the insert returned no row');
    await onAdded(ctx, { ...uploadedFile, id: row.id });
    return row.id;
  });
