import { StorageFull } from './storage-errors.ts';

/** File system full, quota exceeded, disk_full of PostgreSQL. */
const OUT_OF_SPACE_CODES = ['ENOSPC', 'EDQUOT', '53100'];

/** True if the error or one of its causes means that no space is left. */
export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof StorageFull || OUT_OF_SPACE_CODES.includes(String(code)) || isOutOfSpace(error.cause);
}

/**
 * Awaits a write that the answer does not depend on, such as a counter in a GET request. Returns null instead of failing
 * when no space is left: a full disk must not keep readers out. Not for transactions, which the failed write aborts.
 */
export async function skipIfOutOfSpace<T>(write: Promise<T>): Promise<T | null> {
  try {
    return await write;
  } catch (error) {
    if (isOutOfSpace(error)) return null;
    throw error;
  }
}
