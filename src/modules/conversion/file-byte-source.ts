import type { FileHandle } from 'node:fs/promises';
import type { ByteSource } from './detect/compound-file.ts';

/** Random access to the bytes of an open file. */
export const fileByteSource = (handle: FileHandle, size: number): ByteSource => ({
  size,
  async read(start, length) {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    return buffer.subarray(0, bytesRead);
  },
});
