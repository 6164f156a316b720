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
const READY_LIMIT_MS = 120_000;
const root = join(import.meta.dirname, '..');

/** Every process that names this folder, and all that descend from those. */
async function familyOf(folder: string): Promise<number[]> {
  const all: { pid: number; parent: number; named: boolean }[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const read = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
    const about = `${await read('cmdline')}\n${await read('environ')}`;
    const parent = Number(/\) \S (\d+)/.exec(await read('stat'))?.[1] ?? 0);
    all.push({ pid: Number(name), parent, named: about.includes(folder) });
  }
  const family = new Set(all.filter(({ named }) => named).map(({ pid }) => pid));
  for (let size = -1; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}

async function killFamily(folder: string): Promise<number> {
  let killed = 0;
  for (let family = await familyOf(folder); family.length > 0; family = await familyOf(folder)) {
    for (const pid of family) {
      try {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    await sleep(20);
  }
  return killed;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The real server with its embedded PostgreSQL in a folder of its own, to be killed as a whole. */
export async function killableServer(given?: string) {
  const folder = await realpath(given ?? (await mkdtemp(join(tmpdir(), 'douku-stress-'))));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const children: ChildProcess[] = [];
  type Options = { output: 'ignore' | 'pipe'; env?: Record<string, string> };
  const run = (program: string, args: string[], { output, env = {} }: Options): ChildProcess =>
    spawn(process.execPath, [join(root, program), ...args], {
      cwd: root,
      env: {
        ...process.env,
        // An operator's .env must not send this to a real database.
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
  /** Another program of the family: it dies with the rest. */
  const joined = (program: string, args: string[]) => run(program, args, { output: 'pipe' });
  const set = (name: string, value: string) =>
    once(joined('src/app/cli/main.ts', ['config', 'set', name, value]), 'exit');
  const databaseUrl = async (): Promise<string> => {
    const postmaster = await readPidFile(clusterPath(join(folder, 'postgres')));
    if (!postmaster) throw new Error('no PostgreSQL is running');
    return socketConnectionUrl(postmaster.socketFolder, 'douku');
  };
  return {
    folder,
    origin,
    api: `${origin}/api/v1`,
    /** Starts it as an operator would; the milliseconds until it is ready. */
    async start(mode: 'all' | 'web' = 'all', more: Record<string, string> = {}): Promise<number> {
      const began = performance.now();
      const child = run('src/app/server/main.ts', [], {
        output: 'ignore',
        env: { MODE: mode, ...more },
      });
      children.push(child);
      while (performance.now() - began < READY_LIMIT_MS) {
        if (child.exitCode !== null) throw new Error('the server did not start by itself');
        const ready = await fetch(`${origin}/readyz`).then(
          (answer) => answer.ok,
          () => false,
        );
        if (ready) return performance.now() - began;
        await sleep(50);
      }
      throw new Error('the server was not ready in time');
    },
    /** Starts a process that only runs jobs, and waits until it is ready; its number. */
    async startWorker(): Promise<number> {
      const env = { MODE: 'worker', DATABASE_URL: await databaseUrl() };
      const child = run('src/app/server/main.ts', [], { output: 'pipe', env });
      const exited = once(child, 'exit').then(() => {
        throw new Error('the worker did not start');
      });
      await Promise.race([once(child.stdout ?? child, 'data'), exited]);
      exited.catch(() => {});
      child.stdout?.resume();
      return child.pid ?? 0;
    },
    join: joined,
    /** Changes a setting, as an operator would. */
    set,
    /** A script cannot read a picture. */
    dropCaptcha: () => set('security.enable_captcha_login', 'false'),
    databaseUrl,
    /** The processes of the site itself, without its database. */
    pids: () =>
      children
        .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
        .map(({ pid }) => pid ?? 0),
    kill: () => killFamily(folder),
    /** One process alone; the others are left as they are. */
    async killOne(pid: number): Promise<void> {
      process.kill(pid, 'SIGKILL');
      while (isAlive(pid)) await sleep(20);
    },
    /** As an operator would. */
    stop: () =>
      Promise.all(
        children.map((child) => {
          if (child.exitCode !== null) return undefined;
          const gone = once(child, 'exit');
          child.kill('SIGTERM');
          return gone;
        }),
      ),
    async remove(): Promise<void> {
      await killFamily(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
