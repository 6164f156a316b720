import { buffer } from 'node:stream/consumers';
import { StorageRangeInvalid } from './storage-errors.ts';
import type { Storage } from './storage-interface.ts';

/** Reads an object of a server, or its first `maxBytes` bytes, into memory. */
export async function readObject(get: Storage['get'], key: string, maxBytes?: number): Promise<Buffer> {
  try {
    const { stream } = await get(key, maxBytes === undefined ? {} : { end: maxBytes - 1 });
    return await buffer(stream);
  } catch (error) {
    // An empty object has no valid range.
    if (error instanceof StorageRangeInvalid) return Buffer.alloc(0);
    throw error;
  }
}
