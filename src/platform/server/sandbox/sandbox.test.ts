import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { canIsolate } from './isolation.ts';
import { runIsolated, supervise } from './sandbox.ts';
import type { SandboxTask } from './task.ts';
import { Workload } from './workload.ts';

const MB = 1024 * 1024;
const workFolder = await mkdtemp(path.join(tmpdir(), 'douku-sandbox-'));
afterAll(() => rm(workFolder, { recursive: true }));

const limits = { idleMs: 10_000, cpuSeconds: 5, memoryBytes: 200 * MB, fileBytes: 10 * MB };
const run = (script: string, task: Partial<SandboxTask> = {}) => {
  const lines: string[] = [];
  const end = runIsolated({
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
const processes = async (mark: string) => {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return found.filter((command) => command.includes(mark) && !command.startsWith('vitest')).length;
};

describe.runIf(await canIsolate())('a program behind walls', () => {
  test('sees neither our files nor our environment, and writes only its folder', async () => {
    vi.stubEnv('DOUKU_CANARY', 'secret');
    const { lines } = await run(
      `ls /root /home /work/.. 2>&1; env; touch /usr/x 2>&1; echo kept > /work/kept; cat ${process.cwd()}/package.json 2>&1`,
    );
    vi.unstubAllEnvs();
    const said = lines.join('\n');
    expect(said).not.toContain('secret');
    expect(said).not.toContain('"name"');
    expect(said).toMatch(/Read-only file system/);
    expect(await readFile(path.join(workFolder, 'kept'), 'utf8')).toBe('kept\n');
  });

  test('gives way to everything else when told so, as a session too', async () => {
    const show = 'sleep 1; nice; cat /proc/self/autogroup 2>/dev/null || echo nice 15';
    const { lines } = await run(show, { workload: new Workload(15) });
    expect(Number(lines[0])).toBeGreaterThanOrEqual(15);
    expect(lines[1]).toMatch(/nice 15$/);
  });

  test('reaches no server, not even on this machine', async () => {
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

  test('is ended with all its children when it waits for something that never comes', async () => {
    const mark = `97${Math.floor(Math.random() * 1e6)}`;
    const { killedBy } = await run(`sleep ${mark} & sleep ${mark}`, {
      limits: { ...limits, idleMs: 500 },
    });
    expect(killedBy).toBe('idle');
    await expect.poll(() => processes(mark)).toBe(0);
  });

  test('is ended when it computes too long without writing a line', async () => {
    const script = 'for i in 1 2 3; do echo $i; done; while :; do :; done';
    const { killedBy, lines } = await run(script, { limits: { ...limits, stallCpuSeconds: 1 } });
    expect([killedBy, lines]).toEqual(['stall', ['1', '2', '3']]);
  });

  test('is not ended while it waits for a busy processor, however long that takes', async () => {
    const others = Array.from({ length: 8 }, () =>
      spawn('sh', ['-c', 'while :; do :; done'], { detached: true, stdio: 'ignore' }),
    );
    // A moment of work that yields to all of them takes many times as long.
    const script = 'i=0; while [ $i -lt 12000 ]; do i=$((i+1)); done; echo done';
    const workload = new Workload(19);
    const { killedBy, lines } = await run(script, {
      workload,
      limits: { ...limits, idleMs: 400, stallCpuSeconds: 3 },
    }).finally(() => {
      for (const { pid } of others) if (pid) process.kill(-pid, 'SIGKILL');
    });
    expect([killedBy, lines]).toEqual([null, ['done']]);
    expect(workload.cpuSeconds).toBeLessThan(3);
  });

  test('yields to others from the moment its work is moved to the background', async () => {
    const workload = new Workload(0);
    const script = 'echo started; while [ ! -e /work/asked ]; do sleep 0.05; done; nice';
    const { promise: isStarted, resolve: start } = Promise.withResolvers<void>();
    const lines: string[] = [];
    const running = run(script, {
      workload,
      onLine: (line) => {
        lines.push(line);
        start();
      },
    });
    await isStarted;
    await workload.setNice(5);
    await writeFile(path.join(workFolder, 'asked'), '');
    await running;
    expect(lines).toEqual(['started', '5']);
  });

  test('is ended when it takes too much memory', async () => {
    const greedy = 'head -c 400000000 /dev/zero | tail | sleep 5';
    expect((await run(greedy)).killedBy).toBe('memory');
  });

  test('cannot use up the processor or the disk', async () => {
    const busy = await run('while :; do :; done', { limits: { ...limits, cpuSeconds: 1 } });
    expect(busy.killedBy).toBe('cpu');
    await run('head -c 100000000 /dev/zero > /work/large');
    const { size } = await import('node:fs').then(({ statSync }) => statSync(path.join(workFolder, 'large')));
    expect(size).toBeLessThanOrEqual(limits.fileBytes);
  });

  test('is ended when it writes a line without end', async () => {
    const mark = `endless-${Math.floor(Math.random() * 1e6)}`;
    const running = run(`tr '\\0' x </dev/zero; : ${mark}`);
    await expect(running).rejects.toThrow('a line without end');
    await expect.poll(() => processes(mark)).toBe(0);
  });

  test('may write a long line, and any number of them', async () => {
    const { lines } = await run("for i in 1 2 3; do head -c 900000 /dev/zero | tr '\\0' x; echo; done");
    expect(lines.map(({ length }) => length)).toEqual([900_000, 900_000, 900_000]);
  });

  test('ends when it is called off', async () => {
    const controller = new AbortController();
    const running = run('sleep 30', { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    expect((await running).killedBy).toBe('abort');
  });

  test('leaves nothing behind when it is called off while its isolation is being set up', async () => {
    const mark = `86${Math.floor(Math.random() * 1e6)}`;
    for (let delay = 0; delay < 40; delay++) {
      const controller = new AbortController();
      const running = run(`sleep ${mark}`, { signal: controller.signal });
      setTimeout(() => controller.abort(), delay / 2);
      expect((await running).killedBy).toBe('abort');
    }
    await expect.poll(() => processes(mark)).toBe(0);
  });

  test('is told things and answers', async () => {
    const { lines } = await run('read line; echo "heard $line"', {
      control: (send) => send('you'),
    });
    expect(lines).toEqual(['heard you']);
  });

  test('does not run where there is no such program', async () => {
    const { code, errors } = await run('', { command: '/usr/bin/no-such-program', args: [] });
    expect(code).not.toBe(0);
    expect(errors).toContain('no-such-program');
    await writeFile(path.join(workFolder, 'done'), '');
  });
});

const callOffAtFirstLine = async (script: string) => {
  const controller = new AbortController();
  let line = '';
  const end = await supervise(
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

test('a child with a session of its own is ended with the program', async () => {
  const { killedBy, line } = await callOffAtFirstLine('setsid sleep 900 & echo $!; sleep 900');
  expect(killedBy).toBe('abort');
  await expect.poll(() => existsSync(`/proc/${line}`)).toBe(false);
});

test('a program that is called off ends although a descendant outside its tree holds its pipes', async () => {
  const { killedBy, line } = await callOffAtFirstLine('setsid sh -c "sleep 900 & echo \\$!" & wait; sleep 900');
  expect(killedBy).toBe('abort');
  // It is still there: nothing waited for its end.
  expect(process.kill(Number(line), 'SIGKILL')).toBe(true);
});
