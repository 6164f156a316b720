import type { ChildProcess } from 'node:child_process';
import { isTreeActive, measureTree } from './process-tree.ts';
import type { SandboxEnd, SandboxTask } from './task.ts';

const PERIOD_MS = 200;
/** A measurement that takes longer is given up: limits hold even if the kernel does not answer it. */
const MEASURE_LIMIT_MS = 5_000;

type Watched = Pick<SandboxTask, 'limits' | 'workload'>;
type Limit = Extract<SandboxEnd['killedBy'], 'cpu' | 'stall' | 'idle' | 'memory'>;

/**
 * Measures a program and its children several times a second and calls `exceeded` with the first
 * limit that it breaks. `progressed` is called for each line that the program writes.
 */
export function watchLimits(
  { pid }: ChildProcess,
  { limits, workload }: Watched,
  exceeded: (limit: Limit) => void,
): { progressed(): void; stop(): void } {
  if (pid === undefined) return { progressed() {}, stop() {} };
  let measuringSince = 0;
  let isStopped = false;
  let cpuSeconds = 0;
  let cpuAtLine = 0;
  let activeAt = performance.now();
  workload.report(pid, 0);

  const brokenLimit = async (): Promise<Limit | null> => {
    const usage = await measureTree(pid);
    // The workload has the final figure of this program already.
    if (isStopped) return null;
    const isWorking = usage.cpuSeconds > cpuSeconds;
    cpuSeconds = Math.max(cpuSeconds, usage.cpuSeconds);
    workload.report(pid, cpuSeconds);
    if (usage.residentBytes > limits.memoryBytes) return 'memory';
    if (cpuSeconds > limits.cpuSeconds) return 'cpu';
    if (cpuSeconds - cpuAtLine > (limits.stallCpuSeconds ?? Number.POSITIVE_INFINITY)) return 'stall';
    if (isWorking || (await isTreeActive(usage.pids))) activeAt = performance.now();
    return performance.now() - activeAt > limits.idleMs ? 'idle' : null;
  };
  const timer = setInterval(async () => {
    const now = performance.now();
    if (measuringSince > 0 && now - measuringSince < MEASURE_LIMIT_MS) return;
    measuringSince = now;
    const limit = await brokenLimit();
    measuringSince = 0;
    if (!limit || isStopped) return;
    clearInterval(timer);
    exceeded(limit);
  }, PERIOD_MS);
  timer.unref();
  return {
    progressed() {
      cpuAtLine = cpuSeconds;
      activeAt = performance.now();
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
      workload.end(pid);
    },
  };
}
