/** `npm run schema`: writes docs/schema.md from a newly migrated database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrate } from '#platform/server/db/migrate.ts';
import { createLog } from '#platform/server/log.ts';
import { startPostgres } from '#platform/server/postgres/postgres.ts';
import { describeSchema } from './schema-document.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'douku-schema-'));
const postgres = await startPostgres({ dataDir: path.join(folder, 'postgres'), log: createLog('error') });
const pool = new pg.Pool({ connectionString: postgres.url });
try {
  await migrate(pool);
  const client = await pool.connect();
  await writeFile(path.join(import.meta.dirname, '../docs/schema.md'), await describeSchema(client));
  client.release();
} finally {
  await pool.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
