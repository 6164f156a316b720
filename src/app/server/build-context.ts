import type pg from 'pg';
import { getSettings } from '#modules/settings/settings.ts';
import { openLiveCache } from '#platform/server/cache/live-cache.ts';
import type { Config } from '#platform/server/config.ts';
import type { Context } from '#platform/server/context.ts';
import { createDb, createPool } from '#platform/server/db/db.ts';
import { callWithoutHangDetection } from '#platform/server/hang-detector.ts';
import { createJobs } from '#platform/server/jobs/jobs.ts';
import type { Log } from '#platform/server/log.ts';
import { openStorage } from '#platform/server/storage/open-storage.ts';
import { removeAbandonedFolders } from '#platform/server/storage/work-folder.ts';

export type Runtime = { ctx: Context; pool: pg.Pool; close(): Promise<void> };

/** Of this process. A connection takes 5 to 10 MB of the database server, and more than ten do not make two cores faster. */
const maxConnections = ({ mode, webProcesses }: Config) => (mode === 'worker' || webProcesses === 1 ? 20 : 10);

/** Opens the database, storage, cache and job queue of a process. `databaseUrl` also covers the embedded server. */
export async function buildContext(
  config: Config,
  databaseUrl: string,
  log: Log,
  now: () => Date = () => new Date(),
): Promise<Runtime> {
  await removeAbandonedFolders(config.dataDir);
  const pool = createPool(databaseUrl, log, {
    max: maxConnections(config),
    requestTimeoutMs: config.requestTimeoutMs,
  });
  const liveCache = await openLiveCache(databaseUrl, log);
  const jobs = createJobs({ pool, log });
  const ctx: Context = {
    db: createDb(pool),
    storage: await openStorage(config),
    jobs,
    liveCache,
    config,
    log,
    now,
    callSearch: callWithoutHangDetection,
    timeZone: async () => (await getSettings(ctx)).system.timezone,
    user: null,
    client: { ip: '', userAgent: '' },
  };
  const close = async () => {
    await jobs.stop();
    await liveCache.close();
    await pool.end();
  };
  return { ctx, pool, close };
}
