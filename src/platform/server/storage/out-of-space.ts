import { StorageFull } from './storage-errors.ts';

/** File system full, quota of the user reached, PostgreSQL's disk_full. */
const CODES = ['ENOSPC', 'EDQUOT', '53100'];

/** Whether an error, or one that caused it, says that there is no room left. */
export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof StorageFull || CODES.includes(String(code)) || isOutOfSpace(error.cause);
}
