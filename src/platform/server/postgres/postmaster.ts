import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export type Postmaster = { pid: number; socketFolder: string };

/** Reads `postmaster.pid`, whether or not that server still runs. Returns null if the file does not exist. */
export async function readPidFile(cluster: string): Promise<Postmaster | null> {
  try {
    const lines = (await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
    return { pid: Number(lines[0]), socketFolder: lines[4] ?? '' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Finds the server processes of a cluster: their working folder is the cluster. */
export async function serverProcesses(cluster: string): Promise<number[]> {
  const folder = await realpath(cluster);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const folders = await Promise.all(pids.map(workingFolder));
  return pids.filter((_, index) => folders[index] === folder);
}

export async function isServerOfCluster({ pid }: Postmaster, cluster: string): Promise<boolean> {
  return (await workingFolder(pid)) === (await realpath(cluster));
}

/** Returns null for a process that ended or belongs to another user. */
async function workingFolder(pid: number): Promise<string | null> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export const socketConnectionUrl = (socketFolder: string, database: string) =>
  `postgresql://postgres@localhost/${database}?host=${encodeURIComponent(socketFolder)}`;

/** Application name of the connection that every program keeps open while it uses the server. */
export const PRESENCE_APPLICATION_NAME = 'douku-presence';

/** Returns a connection, `busy` if the server is alive but not ready, or `silent` if it does not answer. */
export async function tryConnect(socketFolder: string): Promise<Client | 'busy' | 'silent'> {
  const client = new Client({
    connectionString: socketConnectionUrl(socketFolder, 'postgres'),
    application_name: PRESENCE_APPLICATION_NAME,
    connectionTimeoutMillis: 5_000,
  });
  // A broken connection also rejects connect() or the next query. Without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end();
    // 57P03 (cannot_connect_now): starting up, recovering or shutting down.
    return (error as { code?: string }).code === '57P03' ? 'busy' : 'silent';
  }
}

/** Stops the server. Open transactions are rolled back; committed ones are on disk. */
export async function stopPostmaster(pid: number) {
  const phases = [
    { signal: 'SIGINT', seconds: 25 },
    // Immediate shutdown: the next start recovers from the write-ahead log, as after a power failure.
    { signal: 'SIGQUIT', seconds: 10 },
  ] as const;
  for (const { signal, seconds } of phases) {
    if (!sendSignal(pid, signal)) return;
    for (let waitedMs = 0; waitedMs < seconds * 1000; waitedMs += 25) {
      if (!isProcessAlive(pid)) return;
      await sleep(25);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
