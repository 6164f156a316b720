import { setTimeout as wait } from 'node:timers/promises';
import { fileErrors } from '#modules/attachment/attachment.contract.ts';
import { AppError } from '#platform/contract/errors.ts';
import type { UserContext } from '#platform/server/context.ts';
import { isArchiveName } from './archive/archive.contract.ts';
import { convertBeforePublication } from './convert-before-publication.ts';
import { leaseUpload, type UploadLease } from './lease-upload.ts';
import { withReceivedFile } from './receive-uploaded-file.ts';
import { deleteUpload, findUpload, partsFolder, readParts, type UploadRow } from './resumable-upload.ts';
import { storeFileAsAttachment } from './store-file-as-attachment.ts';
import { uploadErrors } from './upload.contract.ts';
import { uploads } from './upload.table.ts';
import { maxDocumentBytes, validateUpload } from './upload-rules.ts';

const POLL_MS = 500;
/** Retrying cannot change these: too large, unsupported type, or content that does not match the extension. */
const PERMANENT_ERROR_STATUSES = [413, 415, 422];

/**
 * Turns a complete upload into one attachment, also for concurrent requests. A rejected upload is deleted. An archive
 * stays an upload (null); its documents become attachments.
 */
export async function finishUpload(ctx: UserContext, id: string): Promise<number | null> {
  for (;;) {
    const upload = await findUpload(ctx, id);
    if (upload.attachment_id !== null) return upload.attachment_id;
    if (isArchiveName(upload.name)) return null;
    // Its attachment was deleted because no document used it in time.
    if (upload.parts.length === 0) {
      await deleteUpload(ctx, id);
      throw uploadErrors.notFound();
    }
    const lease = await leaseUpload(ctx, id);
    if (lease) return joinParts(ctx, upload, lease).finally(lease.release);
    // Another process joins the parts: waits for its result, or for its lease to expire.
    await wait(POLL_MS);
  }
}

async function joinParts(ctx: UserContext, upload: UploadRow, { holdsLease }: UploadLease): Promise<number> {
  const { id, name, size, parts } = upload;
  const markFinished = async ({ db }: UserContext, attachment_id: number) => {
    const updatedRows = await db
      .update(uploads)
      .set({ attachment_id, parts: [] })
      .where(holdsLease)
      .returning({ id: uploads.id });
    // The upload was cancelled or taken over while the parts were joined.
    if (updatedRows.length === 0) throw uploadErrors.notFound();
  };
  try {
    const extension = await validateUpload(ctx, name, size);
    const maxBytes = await maxDocumentBytes(ctx);
    const attachment = await withReceivedFile(ctx, readParts(ctx, parts), maxBytes, (receivedFile) =>
      storeFileAsAttachment(ctx, receivedFile.file, { ...receivedFile, name, extension }, async (ctx, file) => {
        await markFinished(ctx, file.id);
        await convertBeforePublication(ctx, file);
      }),
    );
    await ctx.storage.deletePrefix(partsFolder(id));
    return attachment.id;
  } catch (error) {
    // A user who has reached the storage limit can delete other files and finish the upload.
    const isPermanent = error instanceof AppError && PERMANENT_ERROR_STATUSES.includes(error.status);
    if (isPermanent && !fileErrors.quotaReached.is(error)) await deleteUpload(ctx, id);
    throw error;
  }
}
