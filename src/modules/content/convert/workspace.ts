import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '#platform/server/context.ts';
import { originalKey } from '../content-keys.ts';

/** A folder of its own for one attempt; whatever happens, it is gone afterwards. */
export type Workspace = {
  /** The original. */
  input: string;
  /** What programs may write; seen by them as /work. */
  folder: string;
};

const rootOf = (ctx: Context) => path.join(ctx.config.dataDir, 'tmp', 'convert');
/** No attempt lasts so long: what is older was left by a process that died. */
const ABANDONED_MS = 2 * 60 * 60 * 1000;

export async function withWorkspace<T>(
  ctx: Context,
  hash: string,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  await mkdir(rootOf(ctx), { recursive: true, mode: 0o700 });
  const root = await mkdtemp(path.join(rootOf(ctx), `${process.pid}-`));
  try {
    const folder = path.join(root, 'work');
    await mkdir(folder);
    const input = path.join(root, 'input');
    const { stream } = await ctx.storage.get(originalKey(hash));
    await pipeline(stream, createWriteStream(input));
    return await work({ input, folder });
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Removes what killed processes left. Folders carry the number of their process. */
export async function removeAbandoned(ctx: Context): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(rootOf(ctx))) {
    const folder = path.join(rootOf(ctx), name);
    const pid = Number(name.split('-')[0]);
    const isOwn = pid === process.pid;
    const changed = await stat(folder).catch(() => null);
    if (!changed || isOwn || (isRunning(pid) && Date.now() - changed.mtimeMs < ABANDONED_MS))
      continue;
    await rm(folder, { recursive: true, force: true });
    removed++;
  }
  return removed;
}

const namesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
