import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runIsolatedProgram } from './run-isolated-program.ts';
import { isSandboxAvailable } from './sandbox-arguments.ts';
import { Workload } from './workload.ts';

const MB = 1024 * 1024;
const workFolder = await mkdtemp(path.join(tmpdir(), 'douku-sandbox-'));
afterAll(() => rm(workFolder, { recursive: true }));

test.runIf(await isSandboxAvailable())(
  'a sandboxed program that waits for a busy processor is not killed as idle',
  async () => {
    const busyLoops = Array.from({ length: 8 }, () =>
      spawn('sh', ['-c', 'while :; do :; done'], { detached: true, stdio: 'ignore' }),
    );
    // At nice 19 beside these loops, a short computation takes many times as long.
    const script = 'i=0; while [ $i -lt 12000 ]; do i=$((i+1)); done; echo done';
    const workload = new Workload(19);
    const lines: string[] = [];
    const { killedBy } = await runIsolatedProgram({
      command: '/bin/sh',
      args: ['-c', script],
      workFolder,
      limits: { idleMs: 400, stallCpuSeconds: 3, cpuSeconds: 5, memoryBytes: 200 * MB, fileBytes: 10 * MB },
      workload,
      onLine: (line) => lines.push(line),
    }).finally(() => {
      for (const { pid } of busyLoops) if (pid) process.kill(-pid, 'SIGKILL');
    });
    expect([killedBy, lines]).toEqual([null, ['done']]);
    expect(workload.cpuSeconds).toBeLessThan(3);
  },
);
