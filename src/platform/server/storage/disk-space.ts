import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** Bytes of the file system of a folder, or of the root file system if the folder does not exist. */
export async function diskSpace(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(existsSync(folder) ? folder : '/');
  return { free: bavail * bsize, size: blocks * bsize };
}
