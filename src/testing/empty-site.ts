import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { buildContext } from '#app/server/build-context.ts';
import { loadConfig } from '#platform/server/config.ts';
import { createLog } from '#platform/server/log.ts';

/** A site with nothing in it, not even tables, with its files in `folder`. */
export async function emptySite(folder: string, now: () => Date) {
  const name = `empty_${crypto.randomUUID().slice(0, 8)}`;
  const server = inject('databaseUrl');
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = server.replace(/\/douku(\?|$)/, `/${name}$1`);
  const config = loadConfig({ DATA_DIR: join(folder, name), LOG_LEVEL: 'error' });
  const runtime = await buildContext(config, url, createLog('error'), now);
  afterAll(runtime.close);
  return runtime;
}
