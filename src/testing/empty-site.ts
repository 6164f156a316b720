import { join } from 'node:path';
import { buildContext } from '#app/server/build-context.ts';
import { loadConfig } from '#platform/server/config.ts';
import { emptyDatabase } from '#platform/server/db/empty-database.fixture.ts';
import { createLog } from '#platform/server/log.ts';
import { onTestOrFileFinished } from './on-test-or-file-finished.ts';

/** A site with an empty database without tables, with its files in `folder`. */
export async function emptySite(folder: string, now: () => Date) {
  const url = await emptyDatabase();
  const config = loadConfig({
    DATA_DIR: join(folder, crypto.randomUUID()),
    LOG_LEVEL: 'error',
  });
  const runtime = await buildContext(config, url, createLog('error'), now);
  onTestOrFileFinished(runtime.close);
  return runtime;
}
