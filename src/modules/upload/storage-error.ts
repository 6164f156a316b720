import { AppError, httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { RETRY_SECONDS } from '#platform/server/http/error-response.ts';
import { isOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import { uploadErrors } from './upload.contract.ts';

/** Reports a failed disk or storage to the uploader, because the file is not at fault. */
export function toUploadStorageError(ctx: Context, error: unknown): Error {
  if (error instanceof AppError) return error;
  if (isOutOfSpace(error)) return httpErrors.noSpace();
  ctx.log.error({ err: error }, 'could not store an upload');
  return uploadErrors.storageFailed(undefined, RETRY_SECONDS);
}
