import { readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

/**
 * Part of the name of every work folder. Includes the pid namespace, because containers with the same host name on one
 * disk number their processes independently.
 */
const MACHINE = `${hostname().replace(/[^A-Za-z0-9]/g, '')}n${statSync('/proc/self/ns/pid').ino}`;
/** A process renews the modification time of its folders, so an older folder belongs to a dead process. */
const ABANDONED_MS = 3 * 60 * 60 * 1000;
const RENEW_MS = 10 * 60 * 1000;

/** Pids are reused, in a container at every start; the pair of pid and start time is unique. */
const START_TIME = readProcessStartTime(process.pid);

const workFolderRoot = (dataDir: string) => path.join(dataDir, 'tmp');

/** Runs `work` with a new folder on the local disk and deletes the folder afterwards. */
export async function withWorkFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(workFolderRoot(dataDir), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(workFolderRoot(dataDir), `${MACHINE}-${process.pid}-${START_TIME}-`));
  const timer = setInterval(() => {
    const now = new Date();
    // A failure is harmless: many renewals follow before the folder counts as abandoned.
    utimes(folder, now, now).catch(() => {});
  }, RENEW_MS);
  timer.unref();
  try {
    return await work(folder);
  } finally {
    clearInterval(timer);
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Removes the folders of killed processes and returns their number. */
export async function removeAbandonedFolders(dataDir: string): Promise<number> {
  let removedCount = 0;
  for (const name of await namesIn(workFolderRoot(dataDir))) {
    const folder = path.join(workFolderRoot(dataDir), name);
    const stats = await stat(folder).catch(() => null);
    if (!stats || (isWorkFolderInUse(name) && Date.now() - stats.mtimeMs < ABANDONED_MS)) continue;
    await rm(folder, { recursive: true, force: true });
    removedCount++;
  }
  return removedCount;
}

const namesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

/** Folders of other machines count as in use, because their processes are not visible here. */
function isWorkFolderInUse(name: string): boolean {
  const [machine, pid, startTime] = name.split('-');
  return machine !== MACHINE || readProcessStartTime(Number(pid)) === startTime;
}

/** Start time of a process in clock ticks since boot; undefined for a dead process or a zombie. */
function readProcessStartTime(pid: number): string | undefined {
  try {
    // The name in parentheses may contain anything. The state is the first and the start time the 20th word after it.
    const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return words[0] === 'Z' ? undefined : words[19];
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
