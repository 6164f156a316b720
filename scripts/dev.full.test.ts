import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { environmentKeys, projectRoot } from '#platform/server/config.ts';
import { serverProcesses } from '#platform/server/postgres/postmaster.ts';
import { findFreePort } from '#testing/free-port.ts';

/** Signals that follow sooner count as one: see run-node24.mjs. */
const SEPARATE_SIGNAL_MS = 600;
/** The bit of SIGTERM in a signal set of /proc. */
const SIGTERM_BIT = 1n << 14n;

type Process = { pid: number; command: string };
type DevRun = {
  child: ChildProcess;
  output: string;
  cluster: string;
  findProcesses: () => Process[];
  /** Sends SIGINT to the whole process group, like Ctrl-C in a terminal. */
  pressCtrlC: () => void;
};

const readProcess = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
};

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/** Starts `npm run dev` on a free port in a new folder. */
async function startDev(): Promise<DevRun> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-dev-'));
  const cluster = path.join(folder, 'postgres/cluster');
  const marker = `DEV_TEST=${folder}`;
  const child = spawn('npm', ['run', 'dev', '--', '--data', folder], {
    cwd: projectRoot,
    env: {
      ...process.env,
      ...Object.fromEntries(environmentKeys.map((key) => [key, ''])),
      DEV_TEST: folder,
      PORT: String(await findFreePort()),
      HOST: '127.0.0.1',
    },
    // A process group of its own, as a terminal starts a command.
    detached: true,
  });
  const findProcesses = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), command: readProcess(Number(name), 'cmdline').replaceAll('\0', ' ') }))
      .filter(({ pid, command }) => command && readProcess(pid, 'environ').split('\0').includes(marker));
  const run: DevRun = {
    child,
    output: '',
    cluster,
    findProcesses,
    pressCtrlC: () => process.kill(-(child.pid ?? 0), 'SIGINT'),
  };
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      run.output += chunk;
    });
  cleanups.push(async () => {
    for (const { pid } of findProcesses()) endProcess(pid);
    // The cluster does not exist if the program ended too early.
    for (const pid of existsSync(cluster) ? await serverProcesses(cluster) : []) endProcess(pid);
    await rm(folder, { recursive: true, force: true });
  });
  return run;
}

async function expectNothingLeft({ child, findProcesses, cluster }: DevRun): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  await expect.poll(findProcesses).toEqual([]);
  expect(await serverProcesses(cluster)).toEqual([]);
  expect(existsSync(path.join(cluster, 'postmaster.pid'))).toBe(false);
}

test('a second Ctrl-C while `npm run dev` stops leaves neither a process nor the database server running', async () => {
  const run = await startDev();
  await expect.poll(() => `${run.child.exitCode} ${run.output}`).toMatch(/^null [\s\S]*可以使用/);
  const server = run.findProcesses().find(({ command }) => command.includes('src/app/server/dev.ts'));
  if (!server) throw new Error('the server of npm run dev is not running');
  // A suspended server does not stop before the second signal.
  process.kill(server.pid, 'SIGSTOP');
  run.pressCtrlC();
  const isStopRequested = () => {
    const [, pendingSignals = '0'] = /^ShdPnd:\s*(\w+)/m.exec(readProcess(server.pid, 'status')) ?? [];
    return (BigInt(`0x${pendingSignals}`) & SIGTERM_BIT) !== 0n;
  };
  await expect.poll(isStopRequested).toBe(true);
  await sleep(SEPARATE_SIGNAL_MS);
  run.pressCtrlC();
  await sleep(SEPARATE_SIGNAL_MS);
  process.kill(server.pid, 'SIGCONT');
  await expectNothingLeft(run);
});

test('Ctrl-C twice while `npm run dev` starts leaves neither a process nor the database server running', async () => {
  const run = await startDev();
  await expect
    .poll(() => run.child.exitCode === null && existsSync(path.join(run.cluster, 'postmaster.pid')))
    .toBe(true);
  run.pressCtrlC();
  await sleep(SEPARATE_SIGNAL_MS);
  if (run.child.exitCode === null) run.pressCtrlC();
  await expectNothingLeft(run);
});
