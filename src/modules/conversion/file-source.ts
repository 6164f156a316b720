import type { FileHandle } from 'node:fs/promises';
import type { Source } from './detect/cfb.ts';

/** The bytes of an open file, wherever somebody wants to look. */
export const fileSource = (handle: FileHandle, size: number): Source => ({
  size,
  async read(start, length) {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    return buffer.subarray(0, bytesRead);
  },
});
