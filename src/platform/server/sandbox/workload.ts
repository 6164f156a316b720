import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureTree, threadsOf } from './process-tree.ts';

/** The kernel accepts a new priority of a session only now and then. */
const AUTOGROUP_RETRIES = 5;
const AUTOGROUP_RETRY_MS = 120;

/**
 * The sandboxed programs of one piece of work: how much processor time they used together, and the
 * priority that all of them run with.
 */
export class Workload {
  #nice: number;
  #endedCpuSeconds = 0;
  readonly #running = new Map<number, number>();

  constructor(nice: number) {
    this.#nice = nice;
  }

  /** How far the programs yield to everything else on the machine, as for the command of this name. */
  get nice(): number {
    return this.#nice;
  }

  get cpuSeconds(): number {
    return [...this.#running.values()].reduce((sum, seconds) => sum + seconds, this.#endedCpuSeconds);
  }

  /** Called by the supervisor of a program. Usage never shrinks when a child ends unseen. */
  report(pid: number, cpuSeconds: number): void {
    this.#running.set(pid, Math.max(cpuSeconds, this.#running.get(pid) ?? 0));
  }

  end(pid: number): void {
    this.#endedCpuSeconds += this.#running.get(pid) ?? 0;
    this.#running.delete(pid);
  }

  /** Also for programs that already run. Priorities can be lowered, not raised, without privileges. */
  async setNice(nice: number): Promise<void> {
    this.#nice = nice;
    for (const root of this.#running.keys()) {
      const { pids } = await measureTree(root);
      for (const pid of pids) await setNiceOf(pid, nice);
    }
  }
}

/** A process that ended meanwhile, or that this user may not change, keeps what it has. */
async function setNiceOf(pid: number, nice: number): Promise<void> {
  for (const thread of await threadsOf(pid)) {
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
