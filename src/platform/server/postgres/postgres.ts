import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connected, connectOrLaunch, type PostgresOptions } from './launch.ts';
import { connectionTo, keeperName, shutDown } from './postmaster.ts';
import { boundServerLog } from './server-log.ts';
import { withStartLock } from './start-lock.ts';

export type Postgres = {
  /** For `pg`: the database `douku` through the Unix socket. */
  url: string;
  /** True when the server was already running, left by a killed process or in use by another. */
  attached: boolean;
  /** Fast shutdown, awaited. A server that another program of ours uses is left to that one. */
  stop(): Promise<void>;
};

/**
 * The embedded PostgreSQL. Every program that uses it keeps one connection open, by which
 * `stop()` knows whether it is the last, and by which a server that died is noticed and restarted.
 */
export async function startPostgres(given: PostgresOptions): Promise<Postgres> {
  // Only the last folder is closed to others: a server user other than ours must pass the ones above.
  await mkdir(path.dirname(given.dataDir), { recursive: true });
  await mkdir(given.dataDir, { recursive: true, mode: 0o700 });
  const options = { ...given, dataDir: realpathSync(given.dataDir) };
  const { dataDir, log } = options;
  let stopped = false;

  const connect = () =>
    withStartLock(dataDir, async () => {
      const found = await connectOrLaunch(options);
      await ensureDatabase(found);
      found.keeper.once('end', () => {
        if (!stopped) reviving = revive();
      });
      return found;
    });

  const revive = async () => {
    log.error('the connection to PostgreSQL broke, restoring it');
    for (let pause = 500; !stopped; pause = Math.min(pause * 2, 30_000)) {
      try {
        current = await connect();
        log.info({ attached: current.attached }, 'PostgreSQL is back');
        return;
      } catch (error) {
        log.error(error, 'PostgreSQL cannot be restored yet');
        await sleep(pause);
      }
    }
  };

  let reviving: Promise<void> = Promise.resolve();
  let current = await connect();
  const logTimer = setInterval(() => {
    boundServerLog(dataDir).catch((error) => log.warn(error, 'cannot shorten the PostgreSQL log'));
  }, 60_000).unref();

  return {
    url: connectionTo(current.server.socketFolder, 'douku'),
    attached: current.attached,
    async stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(logTimer);
      await reviving;
      await withStartLock(dataDir, () => leave(current));
    },
  };
}

async function ensureDatabase({ keeper }: Connected) {
  const found = await keeper.query(`select 1 from pg_database where datname = 'douku'`);
  if (found.rowCount === 0) await keeper.query('create database douku');
}

async function leave({ keeper, server }: Connected) {
  const others = await keeper
    .query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()`,
      [keeperName],
    )
    .catch(() => null); // The server died first: nothing is left to stop.
  await keeper.end();
  if (others?.rows[0]?.count === 0) await shutDown(server.pid);
}
