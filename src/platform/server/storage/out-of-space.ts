import { StorageFull } from './storage-errors.ts';

/** File system full, quota exceeded, disk_full of PostgreSQL. */
const OUT_OF_SPACE_CODES = ['ENOSPC', 'EDQUOT', '53100'];

/** True if the error or one of its causes means that no space is left. */
export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof StorageFull || OUT_OF_SPACE_CODES.includes(String(code)) || isOutOfSpace(error.cause);
}
