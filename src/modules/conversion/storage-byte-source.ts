import { buffer } from 'node:stream/consumers';
import type { Context } from '#platform/server/context.ts';
import type { ByteSource } from './detect/compound-file.ts';

/** Random access to the bytes of a stored object. */
export const storageByteSource = ({ storage }: Pick<Context, 'storage'>, key: string, size: number): ByteSource => ({
  size,
  async read(start, length) {
    const end = Math.min(start + length, size);
    if (end <= start) return Buffer.alloc(0);
    return buffer((await storage.get(key, { start, end: end - 1 })).stream);
  },
});
