import type { ArchiveEntry } from '#modules/conversion/archive-entry.contract.ts';
import { AppError } from '#platform/contract/errors.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { archiveApi, archiveErrors } from '../../archive/archive.contract.ts';
import { uploadErrors } from '../../upload.contract.ts';

const RETRY_MS = 2_000;
/** A request that took too long is followed by `busy` while the server goes on. */
const MAX_UNAVAILABLE_REPLIES = 5;

/** Asks for the files of an archive until the server has unpacked it. Throws when the server cannot. */
export async function unpackSentArchive(
  uploadId: string,
  signal: AbortSignal,
  retryMs = RETRY_MS,
): Promise<ArchiveEntry[]> {
  for (let unavailableReplies = 0; ; ) {
    try {
      const { entry } = await callEndpoint(
        archiveApi.unpack,
        { id: uploadId },
        { signal, isExpectedError: (error) => isWaiting(error) || isUnavailable(error) },
      );
      return entry;
    } catch (error) {
      unavailableReplies = isUnavailable(error) ? unavailableReplies + 1 : 0;
      if (!isWaiting(error) && (unavailableReplies === 0 || unavailableReplies >= MAX_UNAVAILABLE_REPLIES)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    signal.throwIfAborted();
  }
}

/** This archive, or others, are being unpacked. */
const isWaiting = (error: unknown): boolean => archiveErrors.busy.is(error) || archiveErrors.queued.is(error);

const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError &&
  error.status === 503 &&
  !archiveErrors.queued.is(error) &&
  !uploadErrors.storageFailed.is(error);
