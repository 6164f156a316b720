import { spawn } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { measureProcessTree } from './process-tree.ts';
import { watchLimits } from './watch-limits.ts';
import { Workload } from './workload.ts';

afterEach(() => vi.useRealTimers());

const NO_LIMITS = {
  cpuSeconds: Number.POSITIVE_INFINITY,
  idleMs: Number.POSITIVE_INFINITY,
  memoryBytes: Number.POSITIVE_INFINITY,
  fileBytes: Number.POSITIVE_INFINITY,
};

test('watchLimits does not add a measurement that finishes after the watch was stopped to the workload', async () => {
  const child = spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' });
  try {
    const pid = child.pid ?? 0;
    await expect.poll(async () => (await measureProcessTree(pid)).cpuSeconds).toBeGreaterThan(0);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const workload = new Workload(0);
    const watch = watchLimits(child, { limits: NO_LIMITS, workload }, () => {});
    vi.advanceTimersByTime(200);
    watch.stop();
    // The running measurement finishes before these, which start later.
    for (let round = 0; round < 10; round++) await measureProcessTree(pid);
    expect(workload.cpuSeconds).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
});
