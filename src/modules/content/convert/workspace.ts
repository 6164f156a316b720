import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '#platform/server/context.ts';
import { withWorkFolder } from '#platform/server/work-folder.ts';

/** What one attempt works with. */
export type Workspace = {
  /** What was fetched. */
  input: string;
  /** What programs may write; seen by them as /work. */
  folder: string;
};

/** Fetches what lies under a key into a folder of its own for as long as `work` takes. */
export const withWorkspace = <T>(
  ctx: Context,
  key: string,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> =>
  withWorkFolder(ctx.config.dataDir, async (root) => {
    const folder = path.join(root, 'work');
    await mkdir(folder);
    const input = path.join(root, 'input');
    const { stream } = await ctx.storage.get(key);
    await pipeline(stream, createWriteStream(input));
    return work({ input, folder });
  });
