import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';

/** Starts a run with two processes outside its process group, and prints the folder and the process ids. */
const PROGRAM = `
  import { spawn } from 'node:child_process';
  import { writeFileSync } from 'node:fs';
  import { beginTestRun, endTestRun } from ${JSON.stringify(join(import.meta.dirname, 'test-run.mjs'))};
  const folder = beginTestRun();
  writeFileSync(folder + '/file', 'a test wrote this');
  const child = spawn('sleep', ['900'], { detached: true, stdio: 'ignore' });
  // Like the embedded PostgreSQL: empty environment, working folder inside the run folder.
  const other = spawn('sleep', ['901'], { detached: true, stdio: 'ignore', env: {}, cwd: folder });
  console.log(folder);
  console.log(child.pid);
  console.log(other.pid);
  process.stdin.once('data', async () => {
    console.log(JSON.stringify(await endTestRun(folder)));
    process.exit();
  });`;

const startedPids: number[] = [];
afterEach(() => {
  for (const pid of startedPids.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
});

/** A zombie process has no command line. */
const isRunning = (pid: number) => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';

async function startRun() {
  const run = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { ...process.env, TMPDIR: tmpdir() },
  });
  const lines = createInterface({ input: run.stdout })[Symbol.asyncIterator]();
  const folder = (await lines.next()).value ?? '';
  const children = [Number((await lines.next()).value), Number((await lines.next()).value)];
  startedPids.push(...children);
  expect([existsSync(folder), ...children.map(isRunning)]).toEqual([true, true, true]);
  return { run, lines, folder, children };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a test run that is interrupted by %s ends its processes and removes its folder',
  async (signal) => {
    const { run, folder, children } = await startRun();
    run.kill(signal);
    const [code] = await once(run, 'exit');
    expect(code).toBeGreaterThan(128);
    expect([existsSync(folder), ...children.map(isRunning)]).toEqual([false, false, false]);
  },
);

test('a test run that ends names the processes that were left running, and ends them', async () => {
  const { run, lines, folder, children } = await startRun();
  run.stdin.write('end\n');
  expect(JSON.parse((await lines.next()).value ?? '')).toEqual(['sleep 900', 'sleep 901']);
  await once(run, 'exit');
  expect([existsSync(folder), ...children.map(isRunning)]).toEqual([false, false, false]);
});

test('the processor time of a test run includes what tests report for programs that no process waits for', async () => {
  const program = `
    import { appendFileSync } from 'node:fs';
    import { beginTestRun, endTestRun, processorSeconds } from ${JSON.stringify(join(import.meta.dirname, 'test-run.mjs'))};
    const folder = beginTestRun();
    const before = processorSeconds(folder);
    appendFileSync(process.env.UNCOUNTED_SECONDS_FILE, '1000\\n');
    appendFileSync(process.env.UNCOUNTED_SECONDS_FILE, '500.5\\n');
    console.log(processorSeconds(folder) - before);
    await endTestRun(folder);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, TMPDIR: tmpdir() },
  });
  expect(Math.floor(Number(stdout))).toBe(1500);
});
