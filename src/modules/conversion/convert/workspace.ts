import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { withWorkFolder } from '#platform/server/storage/work-folder.ts';
import { StoringFailed } from './store-pages.ts';

/** What one attempt works with. */
export type Workspace = {
  /** What was fetched. */
  input: string;
  /** What programs may write; seen by them as /work. */
  folder: string;
};

/** Fetches what lies under a key into a folder of its own for as long as `work` takes. */
export const withWorkspace = <T>(ctx: Context, key: string, work: (workspace: Workspace) => Promise<T>): Promise<T> =>
  withWorkFolder(ctx.config.dataDir, async (root) => {
    const folder = path.join(root, 'work');
    await mkdir(folder);
    const input = path.join(root, 'input');
    await fetchStored(ctx, key, input);
    return work({ input, folder });
  });

/** An object that is not there is the caller's error; any other is one of the storage. */
export async function fetchStored(ctx: Context, key: string, file: string): Promise<void> {
  try {
    const { stream } = await ctx.storage.get(key);
    await pipeline(stream, createWriteStream(file));
  } catch (error) {
    throw error instanceof StorageNotFound ? error : new StoringFailed(error);
  }
}
