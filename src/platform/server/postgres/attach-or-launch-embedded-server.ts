import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { BaseLogger } from 'pino';
import { packagedBinaries } from './binaries.ts';
import { childEnvironment, clusterPath, ensureCluster, ensureSocketFolder } from './cluster.ts';
import {
  isProcessAlive,
  isServerOfCluster,
  type Postmaster,
  readPidFile,
  serverProcesses,
  stopPostmaster,
  tryConnect,
} from './postmaster.ts';
import { fileSizeOrZero, lastServerError, rotateServerLog, serverLogPath } from './server-log.ts';
import { chooseServerUser } from './server-user.ts';
import { PostgresStartError } from './start-error.ts';

export type PostgresOptions = {
  /** The folder for the cluster, its socket and its log; created when missing. */
  dataDir: string;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** Server settings by name, e.g. `{ max_connections: '50' }`. */
  settings?: Record<string, string>;
};

/** `attached`: the server was already running. */
export type PostgresConnection = { presenceConnection: Client; server: Postmaster; attached: boolean };

/** Recovery after a crash replays the write-ahead log, which takes minutes after many changes. */
const RECOVERY_LIMIT_MS = 10 * 60_000;
/** Directly after a crash a dying process may still hold shared memory or a lock file. */
const RETRY_LIMIT_MS = 30_000;

/** Connects to the running server of this folder or starts one. The caller holds the start lock. */
export async function attachOrLaunchEmbeddedServer(options: PostgresOptions): Promise<PostgresConnection> {
  const { dataDir, log } = options;
  const retryUntil = Date.now() + RETRY_LIMIT_MS;
  for (let pause = 100; ; pause = Math.min(pause * 2, 3_000)) {
    const runningServer = await findRunningServer(dataDir);
    const existingConnection = runningServer && (await attachToRunningServer(runningServer, clusterPath(dataDir)));
    if (existingConnection) return existingConnection;
    const launchResult = await launchServer(options);
    if (typeof launchResult !== 'string') return launchResult;
    if (Date.now() > retryUntil)
      throw new PostgresStartError(
        `内置 PostgreSQL 没有启动（${launchResult}），详见 ${serverLogPath(dataDir)}，也可以用环境变量 DATABASE_URL 指定数据库`,
      );
    log.warn({ reason: launchResult }, 'PostgreSQL did not start, trying again');
    await sleep(pause);
  }
}

async function findRunningServer(dataDir: string): Promise<Postmaster | null> {
  const cluster = clusterPath(dataDir);
  if (!existsSync(cluster)) return null;
  const server = await readPidFile(cluster);
  if (server === null) return null;
  if (await isServerOfCluster(server, cluster)) return server;
  // After a reboot the recorded pid may belong to another program of the same user. PostgreSQL would take that program
  // for a running server and never start.
  if (isProcessAlive(server.pid) && (await serverProcesses(cluster)).length === 0)
    await rm(path.join(cluster, 'postmaster.pid'), { force: true });
  return null;
}

/** Returns null if the server ended, or was stopped because it could not be reached. */
async function attachToRunningServer(server: Postmaster, cluster: string): Promise<PostgresConnection | null> {
  const silentUntil = Date.now() + 10_000;
  const busyUntil = Date.now() + RECOVERY_LIMIT_MS;
  while (await isServerOfCluster(server, cluster)) {
    const client = await tryConnect(server.socketFolder);
    if (typeof client !== 'string') return { presenceConnection: client, server, attached: true };
    // The socket was deleted or the folder was moved: only a restart makes the server reachable.
    if (Date.now() > (client === 'busy' ? busyUntil : silentUntil)) await stopPostmaster(server.pid);
    await sleep(100);
  }
  return null;
}

/** Starts the server. Returns the reason as a string if it ended before it was ready. */
async function launchServer({ dataDir, log, settings }: PostgresOptions): Promise<PostgresConnection | string> {
  const { user, binaries } = await chooseServerUser(dataDir, packagedBinaries());
  await ensureCluster(dataDir, user, binaries);
  const socketFolder = await ensureSocketFolder(dataDir, user);
  await rotateServerLog(dataDir);
  const logStart = await fileSizeOrZero(serverLogPath(dataDir));
  const output = await open(serverLogPath(dataDir), 'a', 0o600);
  if (process.getuid?.() === 0) await output.chown(user.owner.uid, user.owner.gid);
  const [command = '', ...args] = [
    ...user.prefix,
    binaries.postgres,
    ...['-D', clusterPath(dataDir)],
    ...Object.entries({ ...DEFAULT_SETTINGS, ...settings, ...socketSettings(socketFolder) }).flatMap(
      ([name, value]) => ['-c', `${name}=${value}`],
    ),
  ];
  const server = spawn(command, args, {
    ...user.identity,
    cwd: dataDir,
    env: childEnvironment,
    stdio: ['ignore', output.fd, output.fd],
    // A separate session: Ctrl-C in the terminal reaches only this process, which stops the server at its end.
    detached: true,
  });
  let exitReason: string | null = null;
  server.once('error', (error) => {
    exitReason = error.message;
  });
  server.once('exit', (code, signal) => {
    exitReason ??= `exit ${code ?? signal}`;
  });
  server.unref();
  await output.close();
  const startedAt = Date.now();
  for (let attempts = 1; ; attempts += 1) {
    const client = await tryConnect(socketFolder);
    if (typeof client !== 'string') {
      return { presenceConnection: client, server: { pid: server.pid ?? 0, socketFolder }, attached: false };
    }
    if (exitReason) return (await lastServerError(dataDir, logStart)) || exitReason;
    if (Date.now() - startedAt > RECOVERY_LIMIT_MS) {
      await stopPostmaster(server.pid ?? 0);
      return 'not ready in time';
    }
    if (attempts % 200 === 0) log.info('waiting for PostgreSQL to recover from a crash');
    await sleep(50);
  }
}

/** `log_min_messages: log` omits errors of statements, which the caller of the statement reports. */
const DEFAULT_SETTINGS = {
  fsync: 'on',
  full_page_writes: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

const socketSettings = (folder: string) => ({
  listen_addresses: '',
  unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  port: '5432',
});
