import { AppError, httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { RETRY_SECONDS } from '#platform/server/http/error-response.ts';
import { isOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import { uploadErrors } from './upload.contract.ts';

/** What the person who uploads should know of a disk or a storage that failed: it is not the file. */
export function storingError(ctx: Context, error: unknown): Error {
  if (error instanceof AppError) return error;
  if (isOutOfSpace(error)) return httpErrors.noSpace();
  ctx.log.error({ err: error }, 'an upload could not be stored');
  return uploadErrors.storageFailed(undefined, RETRY_SECONDS);
}
