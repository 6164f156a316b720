import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

const PAGE_BYTES = 4096;
/** Linux reports processor time in hundredths of a second, whatever its own clock does. */
const TICKS_PER_SECOND = 100;

export type TreeUsage = {
  /** Resident memory of the process and everything below it. */
  residentBytes: number;
  /** Processor time of the same processes, with that of their children that have ended. */
  cpuSeconds: number;
  pids: number[];
};

const EMPTY_USAGE: TreeUsage = { residentBytes: 0, cpuSeconds: 0, pids: [] };

/** Measures a process and all its descendants; one that ended meanwhile counts nothing. */
export async function measureTree(pid: number): Promise<TreeUsage> {
  const [statm, stat, threads] = await Promise.all([
    readText(`/proc/${pid}/statm`),
    readText(`/proc/${pid}/stat`),
    threadsOf(pid),
  ]);
  if (stat === '') return EMPTY_USAGE;
  const children = await Promise.all(threads.map((thread) => readText(`/proc/${pid}/task/${thread}/children`)));
  const below = await Promise.all(children.flatMap(pidsIn).map(measureTree));
  const self: TreeUsage = {
    residentBytes: Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES,
    cpuSeconds: cpuTicks(stat) / TICKS_PER_SECOND,
    pids: [pid],
  };
  return below.reduce(
    (sum, usage) => ({
      residentBytes: sum.residentBytes + usage.residentBytes,
      cpuSeconds: sum.cpuSeconds + usage.cpuSeconds,
      pids: [...sum.pids, ...usage.pids],
    }),
    self,
  );
}

/** All descendants of a process; a synchronous read, so that a kill follows at once. */
export function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

/** Each thread has a list of the children that it started; LibreOffice starts one in a thread. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      pidsIn(readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')),
    );
  } catch {
    // It has ended.
    return [];
  }
}

const pidsIn = (list: string) => list.split(' ').filter(Boolean).map(Number);

/** The fields utime, stime, cutime and cstime; the name before them may hold spaces and brackets. */
function cpuTicks(stat: string): number {
  const fields = fieldsAfterName(stat);
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

const fieldsAfterName = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/**
 * Whether any thread wants the processor or the disk. A thread that waits for a busy processor is
 * runnable all the time; one that waits for an event which never comes is not.
 */
export async function isTreeActive(pids: readonly number[]): Promise<boolean> {
  for (const pid of pids)
    for (const thread of await threadsOf(pid)) {
      const [state] = fieldsAfterName(await readText(`/proc/${pid}/task/${thread}/stat`));
      if (state === 'R' || state === 'D') return true;
    }
  return false;
}

export const threadsOf = async (pid: number): Promise<number[]> =>
  (await readdir(`/proc/${pid}/task`).catch(() => [])).map(Number);

const readText = (file: string) =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
