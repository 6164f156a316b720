import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export type Postmaster = { pid: number; socketFolder: string };

/** What `postmaster.pid` says, whether or not that server still lives; null when there is none. */
export async function readPidFile(cluster: string): Promise<Postmaster | null> {
  try {
    const lines = (await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
    return { pid: Number(lines[0]), socketFolder: lines[4] ?? '' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Server processes of this cluster: PostgreSQL makes the cluster its working folder. */
export async function serverProcesses(cluster: string): Promise<number[]> {
  const folder = await realpath(cluster);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const folders = await Promise.all(pids.map(workingFolder));
  return pids.filter((_, index) => folders[index] === folder);
}

export async function isServing({ pid }: Postmaster, cluster: string): Promise<boolean> {
  return (await workingFolder(pid)) === (await realpath(cluster));
}

/** Null for a process that is gone or belongs to somebody else. */
async function workingFolder(pid: number): Promise<string | null> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export const connectionTo = (socketFolder: string, database: string) =>
  `postgresql://postgres@localhost/${database}?host=${encodeURIComponent(socketFolder)}`;

/** The name under which every program that uses the server keeps one connection open. */
export const keeperName = 'douku-keeper';

/** A connection when the server takes one; otherwise whether it is alive but not ready, or silent. */
export async function tryConnect(socketFolder: string): Promise<Client | 'busy' | 'silent'> {
  const client = new Client({
    connectionString: connectionTo(socketFolder, 'postgres'),
    application_name: keeperName,
    connectionTimeoutMillis: 5_000,
  });
  // A broken connection also rejects connect() or the next query; unheard it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end();
    // 57P03: starting up, recovering or shutting down.
    return (error as { code?: string }).code === '57P03' ? 'busy' : 'silent';
  }
}

/** Ends the server: open transactions are rolled back, everything committed is on disk. */
export async function shutDown(pid: number) {
  const phases = [
    { signal: 'SIGINT', seconds: 25 },
    // Immediate: recovers from its log at the next start, as after a power cut.
    { signal: 'SIGQUIT', seconds: 10 },
  ] as const;
  for (const { signal, seconds } of phases) {
    if (!signalled(pid, signal)) return;
    for (let waited = 0; waited < seconds * 1000; waited += 25) {
      if (!isAlive(pid)) return;
      await sleep(25);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
