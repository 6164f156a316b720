import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { withWorkFolder } from '#platform/server/storage/work-folder.ts';
import { StorageUnavailable } from './converter-output-store.ts';

export type Workspace = {
  /** Path of the downloaded file. */
  input: string;
  /** Sandboxed programs write here; they see it as /work. */
  folder: string;
};

/** Downloads an object into a temporary folder that exists while `work` runs. */
export const withWorkspace = <T>(ctx: Context, key: string, work: (workspace: Workspace) => Promise<T>): Promise<T> =>
  withWorkFolder(ctx.config.dataDir, async (root) => {
    const folder = path.join(root, 'work');
    await mkdir(folder);
    const input = path.join(root, 'input');
    await downloadFromStorage(ctx, key, input);
    return work({ input, folder });
  });

/** A missing object is the caller's error; any other failure means that the storage is unavailable. */
export async function downloadFromStorage(ctx: Context, key: string, file: string): Promise<void> {
  try {
    const { stream } = await ctx.storage.get(key);
    await pipeline(stream, createWriteStream(file));
  } catch (error) {
    throw error instanceof StorageNotFound ? error : new StorageUnavailable(error);
  }
}
