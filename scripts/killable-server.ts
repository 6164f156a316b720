import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentKeys } from '#platform/server/config.ts';
import { clusterPath } from '#platform/server/postgres/cluster.ts';
import { readPidFile, socketConnectionUrl } from '#platform/server/postgres/postmaster.ts';
import { findFreePort } from '#testing/free-port.ts';

export const ADMIN_PASSWORD = 'stress-password';
const READY_TIMEOUT_MS = 120_000;
const root = join(import.meta.dirname, '..');

/** Processes that have the folder in their command line or environment, and their descendants. */
async function findProcessTree(folder: string): Promise<number[]> {
  const processes: { pid: number; parent: number; isRoot: boolean }[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
    const commandAndEnvironment = `${await read('cmdline')}\n${await read('environ')}`;
    const parent = Number(/\) \S (\d+)/.exec(await read('stat'))?.[1] ?? 0);
    processes.push({ pid: Number(name), parent, isRoot: commandAndEnvironment.includes(folder) });
  }
  const tree = new Set(processes.filter(({ isRoot }) => isRoot).map(({ pid }) => pid));
  for (let size = -1; size !== tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

async function killProcessTree(folder: string): Promise<number> {
  let killedCount = 0;
  for (let pids = await findProcessTree(folder); pids.length > 0; pids = await findProcessTree(folder)) {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
        killedCount += 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    await sleep(20);
  }
  return killedCount;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Controls a real server with embedded PostgreSQL whose whole process tree can be killed. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share its state, as the methods of a class
export async function killableServer(dataFolder?: string) {
  const folder = await realpath(dataFolder ?? (await mkdtemp(join(tmpdir(), 'douku-stress-'))));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const children: ChildProcess[] = [];
  type Options = { output: 'ignore' | 'pipe'; env?: Record<string, string> };
  const runProgram = (program: string, args: string[], { output, env = {} }: Options): ChildProcess =>
    spawn(process.execPath, [join(root, program), ...args], {
      cwd: root,
      env: {
        ...process.env,
        // Empty values override an operator's .env, which could name a real database.
        ...Object.fromEntries(environmentKeys.map((key) => [key, ''])),
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: folder,
        ADMIN_PASSWORD,
        LOG_LEVEL: 'fatal',
        ...env,
      },
      stdio: ['ignore', output, 'inherit'],
    });
  /** Starts another program that `kill` ends together with the server. */
  const startProgram = (program: string, args: string[]) => runProgram(program, args, { output: 'pipe' });
  const setSetting = (name: string, value: string) =>
    once(startProgram('src/app/cli/main.ts', ['config', 'set', name, value]), 'exit');
  const databaseUrl = async (): Promise<string> => {
    const postmaster = await readPidFile(clusterPath(join(folder, 'postgres')));
    if (!postmaster) throw new Error('no PostgreSQL is running');
    return socketConnectionUrl(postmaster.socketFolder, 'douku');
  };
  return {
    folder,
    origin,
    api: `${origin}/api/v1`,
    /** Starts the server as `npm start` does and returns the milliseconds until it is ready. */
    async start(mode: 'all' | 'web' = 'all', extraEnv: Record<string, string> = {}): Promise<number> {
      const startedAt = performance.now();
      const child = runProgram('src/app/server/main.ts', [], {
        output: 'ignore',
        env: { MODE: mode, ...extraEnv },
      });
      children.push(child);
      while (performance.now() - startedAt < READY_TIMEOUT_MS) {
        if (child.exitCode !== null) throw new Error('the server exited during its start');
        const isReady = await fetch(`${origin}/readyz`).then(
          (response) => response.ok,
          () => false,
        );
        if (isReady) return performance.now() - startedAt;
        await sleep(50);
      }
      throw new Error('the server was not ready in time');
    },
    /** Starts a worker process, waits until it is ready and returns its process id. */
    async startWorker(): Promise<number> {
      const env = { MODE: 'worker', DATABASE_URL: await databaseUrl() };
      const child = runProgram('src/app/server/main.ts', [], { output: 'pipe', env });
      const earlyExit = once(child, 'exit').then(() => {
        throw new Error('the worker did not start');
      });
      await Promise.race([once(child.stdout ?? child, 'data'), earlyExit]);
      earlyExit.catch(() => {});
      child.stdout?.resume();
      return child.pid ?? 0;
    },
    startProgram,
    setSetting,
    /** Scripts cannot solve the picture captcha. */
    disableCaptcha: () => setSetting('security.enable_captcha_login', 'false'),
    databaseUrl,
    /** Process ids of the site, without its database. */
    pids: () =>
      children
        .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
        .map(({ pid }) => pid ?? 0),
    /** Process ids of the site with its database and the programs that were started with it. */
    processTree: () => findProcessTree(folder),
    kill: () => killProcessTree(folder),
    async killProcess(pid: number): Promise<void> {
      process.kill(pid, 'SIGKILL');
      while (isAlive(pid)) await sleep(20);
    },
    /** Stops the site with SIGTERM. */
    stop: () =>
      Promise.all(
        children.map((child) => {
          if (child.exitCode !== null) return undefined;
          const exit = once(child, 'exit');
          child.kill('SIGTERM');
          return exit;
        }),
      ),
    async remove(): Promise<void> {
      await killProcessTree(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
