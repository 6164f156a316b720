import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { afterEach, expect, test } from 'vitest';

/** Starts a run with a process that has left the process group, and prints its folder and its number. */
const PROGRAM = `
  import { spawn } from 'node:child_process';
  import { writeFileSync } from 'node:fs';
  import { beginTestRun, endTestRun } from ${JSON.stringify(join(import.meta.dirname, 'test-run.mjs'))};
  const folder = beginTestRun();
  writeFileSync(folder + '/file', 'a test wrote this');
  const child = spawn('sleep', ['900'], { detached: true, stdio: 'ignore' });
  console.log(folder);
  console.log(child.pid);
  process.stdin.once('data', async () => {
    console.log(JSON.stringify(await endTestRun(folder)));
    process.exit();
  });`;

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
});

/** One that has ended and waits for its parent has no command line any more. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';

async function startRun() {
  const run = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { ...process.env, TMPDIR: tmpdir() },
  });
  const lines = createInterface({ input: run.stdout })[Symbol.asyncIterator]();
  const folder = (await lines.next()).value ?? '';
  const child = Number((await lines.next()).value);
  started.push(child);
  expect([existsSync(folder), isRunning(child)]).toEqual([true, true]);
  return { run, lines, folder, child };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a test run that is interrupted by %s ends its processes and removes its folder',
  async (signal) => {
    const { run, folder, child } = await startRun();
    run.kill(signal);
    const [code] = await once(run, 'exit');
    expect(code).toBeGreaterThan(128);
    expect([existsSync(folder), isRunning(child)]).toEqual([false, false]);
  },
);

test('a test run that ends names the processes that were left running, and ends them', async () => {
  const { run, lines, folder, child } = await startRun();
  run.stdin.write('end\n');
  expect(JSON.parse((await lines.next()).value ?? '')).toEqual(['sleep 900']);
  await once(run, 'exit');
  expect([existsSync(folder), isRunning(child)]).toEqual([false, false]);
});
