import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { buildContext } from '#app/server/build-context.ts';
import { jobs } from '#app/server/jobs.ts';
import { seed } from '#app/server/seed.ts';
import { loadConfig } from '#platform/server/config.ts';
import { migrate } from '#platform/server/db/migrate.ts';
import { createLog } from '#platform/server/log.ts';
import { startPostgres } from '#platform/server/postgres/postgres.ts';
import { pruneConversions } from './cached-conversion.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

export const TEMPLATE = 'template_site';
export const ADMIN_PASSWORD = 'correct-horse-battery';

/** One server for the run, and one migrated and seeded database that each test file clones. */
export async function setup(project: TestProject) {
  await pruneConversions();
  const folder = await mkdtemp(join(tmpdir(), 'douku-test-'));
  const log = createLog('error');
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    log,
    // Tests that need durability start their own server.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  const admin = new pg.Client(postgres.url);
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();

  const url = postgres.url.replace(/\/douku(\?|$)/, `/${TEMPLATE}$1`);
  const config = loadConfig({ DATA_DIR: folder, ADMIN_PASSWORD, LOG_LEVEL: 'error' });
  const { ctx, pool, close } = await buildContext(config, url, log);
  await migrate(pool);
  await seed(ctx);
  // The queue's own tables belong to the template too; making them takes a second each time.
  await ctx.jobs.start(jobs, ctx, { runJobs: false });
  await close();
  project.provide('databaseUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
