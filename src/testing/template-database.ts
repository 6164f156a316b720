import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { buildContext } from '#app/server/build-context.ts';
import { jobs } from '#app/server/jobs.ts';
import { seedSite } from '#app/server/seed-site.ts';
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

export const TEMPLATE_DATABASE = 'template_site';
export const ADMIN_PASSWORD = 'correct-horse-battery';

/** Starts one database server for the test run, with a migrated and seeded template that each test file clones. */
export async function setup(project: TestProject) {
  await pruneConversions();
  const folder = await mkdtemp(join(tmpdir(), 'douku-test-'));
  const log = createLog('error');
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    log,
    // Tests that need durability start another server. Autovacuum would visit all databases of the run each minute;
    // without it tables have no statistics.
    settings: { autovacuum: 'off', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  const admin = new pg.Client(postgres.url);
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();

  const url = postgres.url.replace(/\/douku(\?|$)/, `/${TEMPLATE_DATABASE}$1`);
  const config = loadConfig({ DATA_DIR: folder, ADMIN_PASSWORD, LOG_LEVEL: 'error' });
  const { ctx, pool, close } = await buildContext(config, url, log);
  await migrate(pool);
  await seedSite(ctx);
  // Creates the tables of the job queue in the template, because that takes a second.
  await ctx.jobs.start(jobs, ctx, { runJobs: false });
  await close();
  project.provide('databaseUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
