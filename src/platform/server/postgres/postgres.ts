import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  attachOrLaunchEmbeddedServer,
  type PostgresConnection,
  type PostgresOptions,
} from './attach-or-launch-embedded-server.ts';
import { PRESENCE_APPLICATION_NAME, socketConnectionUrl, stopPostmaster } from './postmaster.ts';
import { rotateServerLog } from './server-log.ts';
import { withStartLock } from './start-lock.ts';

export type Postgres = {
  /** Connection URL for `pg`: the database `douku` through the Unix socket. */
  url: string;
  /** True if the server was already running, left by a killed process or used by another program. */
  attached: boolean;
  /** Stops the server (fast shutdown), unless another program uses it. */
  stop(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL. Every program that uses it keeps one presence connection open: `stop()` counts these
 * connections, and a lost one shows that the server died and must be restarted.
 */
export async function startPostgres(postgresOptions: PostgresOptions): Promise<Postgres> {
  // Only the last folder is closed to other users: a different server user must be able to traverse its parents.
  await mkdir(path.dirname(postgresOptions.dataDir), { recursive: true });
  await mkdir(postgresOptions.dataDir, { recursive: true, mode: 0o700 });
  const options = { ...postgresOptions, dataDir: realpathSync(postgresOptions.dataDir) };
  const { dataDir, log } = options;
  let isStopped = false;

  const connect = () =>
    withStartLock(dataDir, async () => {
      const connection = await attachOrLaunchEmbeddedServer(options);
      await ensureDatabase(connection);
      connection.presenceConnection.once('end', () => {
        if (!isStopped) reconnectPromise = reconnect();
      });
      return connection;
    });

  const reconnect = async () => {
    log.error('lost the connection to PostgreSQL, reconnecting');
    for (let pause = 500; !isStopped; pause = Math.min(pause * 2, 30_000)) {
      try {
        current = await connect();
        log.info({ attached: current.attached }, 'reconnected to PostgreSQL');
        return;
      } catch (error) {
        log.error(error, 'cannot reconnect to PostgreSQL yet');
        await sleep(pause);
      }
    }
  };

  let reconnectPromise: Promise<void> = Promise.resolve();
  let current = await connect();
  const logTimer = setInterval(() => {
    rotateServerLog(dataDir).catch((error) => log.warn(error, 'cannot rotate the PostgreSQL log'));
  }, 60_000).unref();

  return {
    url: socketConnectionUrl(current.server.socketFolder, 'douku'),
    attached: current.attached,
    async stop() {
      if (isStopped) return;
      isStopped = true;
      clearInterval(logTimer);
      await reconnectPromise;
      await withStartLock(dataDir, () => disconnectAndStopIfUnused(current));
    },
  };
}

async function ensureDatabase({ presenceConnection }: PostgresConnection) {
  const { rowCount } = await presenceConnection.query(`select 1 from pg_database where datname = 'douku'`);
  if (rowCount === 0) await presenceConnection.query('create database douku');
}

async function disconnectAndStopIfUnused({ presenceConnection, server }: PostgresConnection) {
  const otherConnections = await presenceConnection
    .query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()`,
      [PRESENCE_APPLICATION_NAME],
    )
    .catch(() => null); // The server is already dead.
  await presenceConnection.end();
  if (otherConnections?.rows[0]?.count === 0) await stopPostmaster(server.pid);
}
