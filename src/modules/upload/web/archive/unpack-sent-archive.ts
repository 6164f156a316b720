import type { ArchiveEntry } from '#modules/conversion/archive-entry.contract.ts';
import { AppError } from '#platform/contract/errors.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { archiveApi } from '../../archive/archive.contract.ts';

const RETRY_MS = 2_000;
/** Another request unpacks this archive, the server is busy, or the request took too long. */
const RETRIED_STATUSES = [423, 503];

/** Asks for the files of an archive until the server has unpacked it. */
export async function unpackSentArchive(uploadId: string, signal: AbortSignal): Promise<ArchiveEntry[]> {
  for (;;) {
    try {
      const { entry } = await callEndpoint(
        archiveApi.unpack,
        { id: uploadId },
        { signal, isExpectedError: isTemporary },
      );
      return entry;
    } catch (error) {
      if (!isTemporary(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    signal.throwIfAborted();
  }
}

const isTemporary = (error: unknown): boolean => error instanceof AppError && RETRIED_STATUSES.includes(error.status);
