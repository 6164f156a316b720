import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { BaseLogger } from 'pino';
import { packagedBinaries } from './binaries.ts';
import { childEnvironment, clusterOf, ensureCluster, ensureSocketFolder } from './cluster.ts';
import {
  isAlive,
  isServing,
  type Postmaster,
  readPidFile,
  serverProcesses,
  shutDown,
  tryConnect,
} from './postmaster.ts';
import { boundServerLog, lastComplaint, serverLogOf, sizeOf } from './server-log.ts';
import { chooseServerUser } from './server-user.ts';
import { PostgresStartError } from './start-error.ts';

export type PostgresOptions = {
  /** The folder for the cluster, its socket and its log; created when missing. */
  dataDir: string;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** Server settings by name, e.g. `{ max_connections: '50' }`. */
  settings?: Record<string, string>;
};

export type Connected = { keeper: Client; server: Postmaster; attached: boolean };

/** Recovery after a crash replays the log; a busy server may take minutes for that. */
const recoveryLimit = 10 * 60_000;
/** Right after a crash a dying process may still hold memory or a file; that passes. */
const retryLimit = 30_000;

/** Finds the running server of this folder or starts one. The caller holds the start lock. */
export async function connectOrLaunch(options: PostgresOptions): Promise<Connected> {
  const { dataDir, log } = options;
  const giveUpAt = Date.now() + retryLimit;
  for (let pause = 100; ; pause = Math.min(pause * 2, 3_000)) {
    const running = await findRunning(dataDir);
    const attached = running && (await attach(running, clusterOf(dataDir)));
    if (attached) return attached;
    const launched = await launch(options);
    if (typeof launched !== 'string') return launched;
    if (Date.now() > giveUpAt)
      throw new PostgresStartError(
        `内置 PostgreSQL 没有启动（${launched}），详见 ${serverLogOf(dataDir)}，也可以用环境变量 DATABASE_URL 指定数据库`,
      );
    log.warn({ reason: launched }, 'PostgreSQL did not start, trying again');
    await sleep(pause);
  }
}

async function findRunning(dataDir: string): Promise<Postmaster | null> {
  const cluster = clusterOf(dataDir);
  if (!existsSync(cluster)) return null;
  const server = await readPidFile(cluster);
  if (server === null) return null;
  if (await isServing(server, cluster)) return server;
  // After a reboot the recorded number may belong to some other program of the same user, which
  // PostgreSQL would take for a rival server for ever.
  if (isAlive(server.pid) && (await serverProcesses(cluster)).length === 0)
    await rm(path.join(cluster, 'postmaster.pid'), { force: true });
  return null;
}

/** Null when that server ended, by itself or because it could not be reached. */
async function attach(server: Postmaster, cluster: string): Promise<Connected | null> {
  const silentUntil = Date.now() + 10_000;
  const busyUntil = Date.now() + recoveryLimit;
  while (await isServing(server, cluster)) {
    const keeper = await tryConnect(server.socketFolder);
    if (typeof keeper !== 'string') return { keeper, server, attached: true };
    // Its socket was deleted, or the folder was moved: only a restart makes it reachable again.
    if (Date.now() > (keeper === 'busy' ? busyUntil : silentUntil)) await shutDown(server.pid);
    await sleep(100);
  }
  return null;
}

/** Starts the server; a string says why it ended instead of becoming ready. */
async function launch({ dataDir, log, settings }: PostgresOptions): Promise<Connected | string> {
  const { user, binaries } = await chooseServerUser(dataDir, packagedBinaries());
  await ensureCluster(dataDir, user, binaries);
  const socketFolder = await ensureSocketFolder(dataDir, user);
  await boundServerLog(dataDir);
  const logStart = await sizeOf(serverLogOf(dataDir));
  const output = await open(serverLogOf(dataDir), 'a', 0o600);
  if (process.getuid?.() === 0) await output.chown(user.owner.uid, user.owner.gid);
  const [command = '', ...args] = [
    ...user.prefix,
    binaries.postgres,
    ...['-D', clusterOf(dataDir)],
    ...Object.entries({ ...defaults, ...settings, ...socketOnly(socketFolder) }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]),
  ];
  const server = spawn(command, args, {
    ...user.identity,
    cwd: dataDir,
    env: childEnvironment,
    stdio: ['ignore', output.fd, output.fd],
    // Its own session: Ctrl-C in the terminal reaches only us, and we stop it when our work is done.
    detached: true,
  });
  let ended: string | null = null;
  server.once('error', (error) => {
    ended = error.message;
  });
  server.once('exit', (code, signal) => {
    ended ??= `exit ${code ?? signal}`;
  });
  server.unref();
  await output.close();
  const startedAt = Date.now();
  for (let tries = 1; ; tries += 1) {
    const keeper = await tryConnect(socketFolder);
    if (typeof keeper !== 'string') {
      return { keeper, server: { pid: server.pid ?? 0, socketFolder }, attached: false };
    }
    if (ended) return (await lastComplaint(dataDir, logStart)) || ended;
    if (Date.now() - startedAt > recoveryLimit) {
      await shutDown(server.pid ?? 0);
      return 'not ready in time';
    }
    if (tries % 200 === 0) log.info('waiting for PostgreSQL, which recovers after a crash');
    await sleep(50);
  }
}

/** `log` leaves out errors of single statements: the program that sent them reports those itself. */
const defaults = {
  fsync: 'on',
  full_page_writes: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

const socketOnly = (folder: string) => ({
  listen_addresses: '',
  unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  port: '5432',
});
