import { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { uploadErrors } from './upload.contract.ts';

/** What the person who uploads should know of a disk or a storage that failed: it is not the file. */
export function storingError(ctx: Context, error: unknown): Error {
  if (error instanceof AppError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return uploadErrors.noSpace();
  ctx.log.error({ err: error }, 'an upload could not be stored');
  return uploadErrors.storageFailed();
}
