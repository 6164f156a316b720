import { readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

/**
 * Folders carry the machine and the process that works in them. Containers with one name on one disk
 * count their processes each by itself.
 */
const MACHINE = `${hostname().replace(/[^A-Za-z0-9]/g, '')}n${statSync('/proc/self/ns/pid').ino}`;
/** A process renews the time of its folders: one that is older was left by a process that died. */
const ABANDONED_MS = 3 * 60 * 60 * 1000;
const RENEW_MS = 10 * 60 * 1000;

/** Numbers are given again, in a container the same ones at every start; the moment of birth is not. */
const BIRTH = birthOf(process.pid);

const rootOf = (dataDir: string) => path.join(dataDir, 'tmp');

/** A folder of its own on the disk of this machine; whatever happens, it is gone afterwards. */
export async function withWorkFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(rootOf(dataDir), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(rootOf(dataDir), `${MACHINE}-${process.pid}-${BIRTH}-`));
  const timer = setInterval(() => {
    const now = new Date();
    // One that fails changes nothing yet; many more follow before the folder counts as abandoned.
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

/** Removes what killed processes left; returns how many folders that were. */
export async function removeAbandonedFolders(dataDir: string): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(rootOf(dataDir))) {
    const folder = path.join(rootOf(dataDir), name);
    const changed = await stat(folder).catch(() => null);
    if (!changed || (isInUse(name) && Date.now() - changed.mtimeMs < ABANDONED_MS)) continue;
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

/** Of another machine nobody here can tell. */
function isInUse(name: string): boolean {
  const [machine, pid, birth] = name.split('-');
  return machine !== MACHINE || birthOf(Number(pid)) === birth;
}

/** When a process began, in ticks since the machine did; of one that is no more, also unburied, none. */
function birthOf(pid: number): string | undefined {
  try {
    // The name in parentheses may hold anything; state is the first and birth the 20th word after it.
    const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return words[0] === 'Z' ? undefined : words[19];
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
