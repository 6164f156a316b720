import type pg from 'pg';
import { probeSearch } from '#modules/search/opensearch/opensearch-client.ts';
import type { Context } from '#platform/server/context.ts';
import { createDb } from '#platform/server/db/db.ts';
import { probeDatabase } from '#platform/server/db/drizzle-pool.ts';
import { createHangDetector, type StoreName } from '#platform/server/hang-detector.ts';
import { storageWithHangDetection } from '#platform/server/storage/storage-with-hang-detection.ts';

/**
 * A context for requests, whose calls to a store that hangs are aborted after seconds. Jobs use the original context,
 * without hang detection.
 */
export function createRequestContext(ctx: Context, pool: pg.Pool): { ctx: Context; stop: () => void } {
  const { config, log, storage } = ctx;
  const detectorFor = (store: StoreName, probe: (signal: AbortSignal) => Promise<unknown>) =>
    createHangDetector({ store, probe, log });
  const database = detectorFor('postgres', probeDatabase(pool.options.connectionString ?? ''));
  const files = detectorFor('s3', () => storage.check());
  const search = detectorFor('opensearch', probeSearch(config));
  return {
    ctx: {
      ...ctx,
      db: createDb(pool, database.call),
      storage: config.storageUrl ? storageWithHangDetection(storage, files.call) : storage,
      callSearch: config.searchUrl ? search.call : ctx.callSearch,
    },
    stop() {
      for (const { stop } of [database, files, search]) stop();
    },
  };
}
