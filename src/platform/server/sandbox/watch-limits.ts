import type { ChildProcess } from 'node:child_process';
import { isProcessTreeActive, measureProcessTree } from './process-tree.ts';
import type { SandboxResult, SandboxTask } from './sandbox-task.ts';

const MEASURE_INTERVAL_MS = 200;
/** A longer measurement is ignored and a new one starts, so that a blocked read of /proc does not disable the limits. */
const MEASURE_TIMEOUT_MS = 5_000;

type WatchedTask = Pick<SandboxTask, 'limits' | 'workload'>;
type Limit = Extract<SandboxResult['killedBy'], 'cpu' | 'stall' | 'idle' | 'memory'>;

/**
 * Measures a program and its children several times a second and calls `onExceeded` with the first exceeded limit. The
 * caller reports each line of output with `onOutputLine`.
 */
export function watchLimits(
  { pid }: ChildProcess,
  { limits, workload }: WatchedTask,
  onExceeded: (limit: Limit) => void,
): { onOutputLine(): void; stop(): void } {
  if (pid === undefined) return { onOutputLine() {}, stop() {} };
  let measuringSince = 0;
  let isStopped = false;
  let cpuSeconds = 0;
  let cpuSecondsAtLastLine = 0;
  let lastActiveAt = performance.now();
  workload.report(pid, 0);

  const findExceededLimit = async (): Promise<Limit | null> => {
    const usage = await measureProcessTree(pid);
    // The workload already has the final value of this program.
    if (isStopped) return null;
    const isWorking = usage.cpuSeconds > cpuSeconds;
    cpuSeconds = Math.max(cpuSeconds, usage.cpuSeconds);
    workload.report(pid, cpuSeconds);
    if (usage.residentBytes > limits.memoryBytes) return 'memory';
    if (cpuSeconds > limits.cpuSeconds) return 'cpu';
    if (cpuSeconds - cpuSecondsAtLastLine > (limits.stallCpuSeconds ?? Number.POSITIVE_INFINITY)) return 'stall';
    if (isWorking || (await isProcessTreeActive(usage.pids))) lastActiveAt = performance.now();
    return performance.now() - lastActiveAt > limits.idleMs ? 'idle' : null;
  };
  const timer = setInterval(async () => {
    const now = performance.now();
    if (measuringSince > 0 && now - measuringSince < MEASURE_TIMEOUT_MS) return;
    measuringSince = now;
    const limit = await findExceededLimit();
    measuringSince = 0;
    if (!limit || isStopped) return;
    clearInterval(timer);
    onExceeded(limit);
  }, MEASURE_INTERVAL_MS);
  timer.unref();
  return {
    onOutputLine() {
      cpuSecondsAtLastLine = cpuSeconds;
      lastActiveAt = performance.now();
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
      workload.end(pid);
    },
  };
}
