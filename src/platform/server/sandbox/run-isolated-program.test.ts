import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { runIsolatedProgram, superviseProgram } from './run-isolated-program.ts';
import { isSandboxAvailable } from './sandbox-arguments.ts';
import type { SandboxTask } from './sandbox-task.ts';
import { Workload } from './workload.ts';

const MB = 1024 * 1024;
const workFolder = await mkdtemp(path.join(tmpdir(), 'douku-sandbox-'));
afterAll(() => rm(workFolder, { recursive: true }));

const limits = { idleMs: 10_000, cpuSeconds: 5, memoryBytes: 200 * MB, fileBytes: 10 * MB };
const run = (script: string, task: Partial<SandboxTask> = {}) => {
  const lines: string[] = [];
  const end = runIsolatedProgram({
    command: '/bin/sh',
    args: ['-c', script],
    workFolder,
    limits,
    workload: new Workload(0),
    onLine: (line) => lines.push(line),
    ...task,
  });
  return end.then((end) => ({ ...end, lines }));
};
const countProcesses = async (marker: string) => {
  const commands = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return commands.filter((command) => command.includes(marker) && !command.startsWith('vitest')).length;
};

describe.runIf(await isSandboxAvailable())('a sandboxed program', () => {
  test('sees neither files nor environment variables of the site, and can write only its folder', async () => {
    vi.stubEnv('DOUKU_CANARY', 'secret');
    const { lines } = await run(
      `ls /root /home /work/.. 2>&1; env; touch /usr/x 2>&1; echo kept > /work/kept; cat ${process.cwd()}/package.json 2>&1`,
    );
    vi.unstubAllEnvs();
    const output = lines.join('\n');
    expect(output).not.toContain('secret');
    expect(output).not.toContain('"name"');
    expect(output).toMatch(/Read-only file system/);
    expect(await readFile(path.join(workFolder, 'kept'), 'utf8')).toBe('kept\n');
  });

  test('runs with the nice value of its workload, as a process and as a session', async () => {
    const show = 'sleep 1; nice; cat /proc/self/autogroup 2>/dev/null || echo nice 15';
    const { lines } = await run(show, { workload: new Workload(15) });
    expect(Number(lines[0])).toBeGreaterThanOrEqual(15);
    expect(lines[1]).toMatch(/nice 15$/);
  });

  test('cannot connect to a server on this machine', async () => {
    let connections = 0;
    const server = createServer(() => connections++).listen(0, '127.0.0.1');
    await sleep(20);
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { code } = await run(`exec 3<>/dev/tcp/127.0.0.1/${port}`, { command: '/bin/bash' });
    server.close();
    expect(code).not.toBe(0);
    expect(connections).toBe(0);
  });

  test('is killed with its children when it is idle for too long', async () => {
    const marker = `97${Math.floor(Math.random() * 1e6)}`;
    const { killedBy } = await run(`sleep ${marker} & sleep ${marker}`, {
      limits: { ...limits, idleMs: 500 },
    });
    expect(killedBy).toBe('idle');
    await expect.poll(() => countProcesses(marker)).toBe(0);
  });

  test('is killed when it uses too much processor time without writing a line', async () => {
    const script = 'for i in 1 2 3; do echo $i; done; while :; do :; done';
    const { killedBy, lines } = await run(script, { limits: { ...limits, stallCpuSeconds: 1 } });
    expect([killedBy, lines]).toEqual(['stall', ['1', '2', '3']]);
  });

  test('gets the new nice value of its workload while it runs', async () => {
    const workload = new Workload(0);
    const script = 'echo started; while [ ! -e /work/asked ]; do sleep 0.05; done; nice';
    const { promise: isStarted, resolve: start } = Promise.withResolvers<void>();
    const lines: string[] = [];
    const runPromise = run(script, {
      workload,
      onLine: (line) => {
        lines.push(line);
        start();
      },
    });
    await isStarted;
    await workload.setNice(5);
    await writeFile(path.join(workFolder, 'asked'), '');
    await runPromise;
    expect(lines).toEqual(['started', '5']);
  });

  test('is killed when it uses too much memory', async () => {
    const memoryHungryScript = 'head -c 400000000 /dev/zero | tail | sleep 5';
    expect((await run(memoryHungryScript)).killedBy).toBe('memory');
  });

  test('is killed at its processor limit and cannot write a file above the size limit', async () => {
    const busy = await run('while :; do :; done', { limits: { ...limits, cpuSeconds: 1 } });
    expect(busy.killedBy).toBe('cpu');
    await run('head -c 100000000 /dev/zero > /work/large');
    const { size } = await import('node:fs').then(({ statSync }) => statSync(path.join(workFolder, 'large')));
    expect(size).toBeLessThanOrEqual(limits.fileBytes);
  });

  test('is killed when it writes an endless line', async () => {
    const marker = `endless-${Math.floor(Math.random() * 1e6)}`;
    const runPromise = run(`tr '\\0' x </dev/zero; : ${marker}`);
    await expect(runPromise).rejects.toThrow('an endless line');
    await expect.poll(() => countProcesses(marker)).toBe(0);
  });

  test('may write several long lines', async () => {
    const { lines } = await run("for i in 1 2 3; do head -c 900000 /dev/zero | tr '\\0' x; echo; done");
    expect(lines.map(({ length }) => length)).toEqual([900_000, 900_000, 900_000]);
  });

  test('is killed when its task is aborted', async () => {
    const controller = new AbortController();
    const runPromise = run('sleep 30', { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    expect((await runPromise).killedBy).toBe('abort');
  });

  test('leaves no process behind when its task is aborted during the setup of the sandbox', async () => {
    const marker = `86${Math.floor(Math.random() * 1e6)}`;
    for (let delay = 0; delay < 40; delay++) {
      const controller = new AbortController();
      const runPromise = run(`sleep ${marker}`, { signal: controller.signal });
      setTimeout(() => controller.abort(), delay / 2);
      expect((await runPromise).killedBy).toBe('abort');
    }
    await expect.poll(() => countProcesses(marker)).toBe(0);
  });

  test('receives lines on standard input', async () => {
    const { lines } = await run('read line; echo "heard $line"', {
      connectStdin: (send) => send('you'),
    });
    expect(lines).toEqual(['heard you']);
  });

  test('reports an error on standard error when the program does not exist', async () => {
    const { code, stderrTail } = await run('', { command: '/usr/bin/no-such-program', args: [] });
    expect(code).not.toBe(0);
    expect(stderrTail).toContain('no-such-program');
    await writeFile(path.join(workFolder, 'done'), '');
  });
});

const abortAtFirstLine = async (script: string) => {
  const controller = new AbortController();
  let line = '';
  const end = await superviseProgram(
    {
      limits,
      workload: new Workload(0),
      signal: controller.signal,
      onLine(text) {
        line = text;
        controller.abort();
      },
    },
    spawn('sh', ['-c', script], { detached: true }),
  );
  return { ...end, line };
};

test('supervise kills a child that started a new session', async () => {
  const { killedBy, line } = await abortAtFirstLine('setsid sleep 900 & echo $!; sleep 900');
  expect(killedBy).toBe('abort');
  await expect.poll(() => existsSync(`/proc/${line}`)).toBe(false);
});

test('supervise ends after an abort although a descendant outside of the process tree holds the pipes', async () => {
  const { killedBy, line } = await abortAtFirstLine('setsid sh -c "sleep 900 & echo \\$!" & wait; sleep 900');
  expect(killedBy).toBe('abort');
  // The descendant still runs: supervise did not wait for it.
  expect(process.kill(Number(line), 'SIGKILL')).toBe(true);
});
