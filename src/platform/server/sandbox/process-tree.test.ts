import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { listDescendantPids, measureProcessTree } from './process-tree.ts';

test('a process tree includes the children that other threads of a process started', async () => {
  const worker = new Worker(
    `const { spawn } = require('node:child_process');
    require('node:worker_threads').parentPort.postMessage(spawn('sleep', ['900']).pid);
    setInterval(() => {}, 1000);`,
    { eval: true },
  );
  const [child] = (await once(worker, 'message')) as [number];
  try {
    expect(listDescendantPids(process.pid)).toContain(child);
    expect((await measureProcessTree(process.pid)).pids).toContain(child);
  } finally {
    process.kill(child, 'SIGKILL');
    await worker.terminate();
  }
});
