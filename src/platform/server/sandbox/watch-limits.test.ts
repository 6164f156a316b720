import { spawn } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { measureTree } from './process-tree.ts';
import { watchLimits } from './watch-limits.ts';
import { Workload } from './workload.ts';

afterEach(() => vi.useRealTimers());

const unlimited = {
  cpuSeconds: Number.POSITIVE_INFINITY,
  idleMs: Number.POSITIVE_INFINITY,
  memoryBytes: Number.POSITIVE_INFINITY,
  fileBytes: Number.POSITIVE_INFINITY,
};

test('a measurement that ends after its program is not added to the workload again', async () => {
  const child = spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' });
  try {
    const pid = child.pid ?? 0;
    await expect.poll(async () => (await measureTree(pid)).cpuSeconds).toBeGreaterThan(0);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const workload = new Workload(0);
    const watch = watchLimits(child, { limits: unlimited, workload }, () => {});
    vi.advanceTimersByTime(200);
    watch.stop();
    // The measurement that was under way ends before these, which begin after it.
    for (let round = 0; round < 10; round++) await measureTree(pid);
    expect(workload.cpuSeconds).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
});
