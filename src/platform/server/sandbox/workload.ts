import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { listThreadIds, measureProcessTree } from './process-tree.ts';

/** The kernel accepts only a few changes of session priorities per second. */
const AUTOGROUP_RETRIES = 5;
const AUTOGROUP_RETRY_MS = 120;

/**
 * The sandboxed programs of one task, for example of a conversion: their total processor time and their common priority.
 */
export class Workload {
  #nice: number;
  #endedCpuSeconds = 0;
  readonly #cpuSecondsByPid = new Map<number, number>();

  constructor(nice: number) {
    this.#nice = nice;
  }

  /** Niceness as in the command `nice`. */
  get nice(): number {
    return this.#nice;
  }

  get cpuSeconds(): number {
    return [...this.#cpuSecondsByPid.values()].reduce((sum, seconds) => sum + seconds, this.#endedCpuSeconds);
  }

  /** Called by the supervisor of a program. The usage never decreases, also if a child ends between two measurements. */
  report(pid: number, cpuSeconds: number): void {
    this.#cpuSecondsByPid.set(pid, Math.max(cpuSeconds, this.#cpuSecondsByPid.get(pid) ?? 0));
  }

  end(pid: number): void {
    this.#endedCpuSeconds += this.#cpuSecondsByPid.get(pid) ?? 0;
    this.#cpuSecondsByPid.delete(pid);
  }

  /** Also changes running programs. Without privileges the niceness can only be increased. */
  async setNice(nice: number): Promise<void> {
    this.#nice = nice;
    for (const root of this.#cpuSecondsByPid.keys()) {
      const { pids } = await measureProcessTree(root);
      for (const pid of pids) await setNiceOf(pid, nice);
    }
  }
}

/** Ignores processes that ended meanwhile or that this user may not change. */
async function setNiceOf(pid: number, nice: number): Promise<void> {
  for (const thread of await listThreadIds(pid)) {
    try {
      setPriority(thread, nice);
    } catch {}
  }
  for (let attempt = 0; attempt < AUTOGROUP_RETRIES; attempt++) {
    const isSet = await writeFile(`/proc/${pid}/autogroup`, String(nice)).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'EAGAIN',
    );
    if (isSet) return;
    await sleep(AUTOGROUP_RETRY_MS);
  }
}
