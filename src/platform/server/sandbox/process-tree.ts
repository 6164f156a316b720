import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

const PAGE_BYTES = 4096;
/** Linux reports processor time in hundredths of a second, independent of its timer frequency. */
const TICKS_PER_SECOND = 100;

export type TreeUsage = {
  /** Resident memory of the process and its descendants. */
  residentBytes: number;
  /** Processor time of the same processes, including their ended children. */
  cpuSeconds: number;
  pids: number[];
};

const EMPTY_USAGE: TreeUsage = { residentBytes: 0, cpuSeconds: 0, pids: [] };

/** Measures a process and its descendants. A process that ended meanwhile counts as zero. */
export async function measureProcessTree(pid: number): Promise<TreeUsage> {
  const [statm, stat, threads] = await Promise.all([
    readTextOrEmpty(`/proc/${pid}/statm`),
    readTextOrEmpty(`/proc/${pid}/stat`),
    listThreadIds(pid),
  ]);
  if (stat === '') return EMPTY_USAGE;
  const children = await Promise.all(threads.map((thread) => readTextOrEmpty(`/proc/${pid}/task/${thread}/children`)));
  const descendantUsages = await Promise.all(children.flatMap(pidsIn).map(measureProcessTree));
  const self: TreeUsage = {
    residentBytes: Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES,
    cpuSeconds: cpuTicks(stat) / TICKS_PER_SECOND,
    pids: [pid],
  };
  return descendantUsages.reduce(
    (sum, usage) => ({
      residentBytes: sum.residentBytes + usage.residentBytes,
      cpuSeconds: sum.cpuSeconds + usage.cpuSeconds,
      pids: [...sum.pids, ...usage.pids],
    }),
    self,
  );
}

/** Synchronous, so that the caller can kill the descendants before they start others. */
export function listDescendantPids(pid: number): number[] {
  const children = listChildPids(pid);
  return [...children, ...children.flatMap(listDescendantPids)];
}

/** Linux lists children per thread; LibreOffice starts a child in a second thread. */
export function listChildPids(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      pidsIn(readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')),
    );
  } catch {
    // The process has ended.
    return [];
  }
}

const pidsIn = (list: string) => list.split(' ').filter(Boolean).map(Number);

/** Sum of the fields utime, stime, cutime and cstime. */
function cpuTicks(stat: string): number {
  const fields = fieldsAfterName(stat);
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** The name of a process is in parentheses and may contain spaces and parentheses. */
const fieldsAfterName = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/**
 * True if any thread is runnable or waits for the disk. A thread that waits for a busy processor is runnable; a thread
 * that waits for an event is not.
 */
export async function isProcessTreeActive(pids: readonly number[]): Promise<boolean> {
  for (const pid of pids)
    for (const thread of await listThreadIds(pid)) {
      const [state] = fieldsAfterName(await readTextOrEmpty(`/proc/${pid}/task/${thread}/stat`));
      if (state === 'R' || state === 'D') return true;
    }
  return false;
}

export const listThreadIds = async (pid: number): Promise<number[]> =>
  (await readdir(`/proc/${pid}/task`).catch(() => [])).map(Number);

const readTextOrEmpty = (file: string) =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
