import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, test } from 'vitest';
import { emptyDatabase } from '#platform/server/db/empty-database.fixture.ts';
import { migrate } from '#platform/server/db/migrate.ts';
import { describeSchema } from './schema-document.ts';

test('docs/schema.md describes the schema that the migrations create', async () => {
  const pool = new pg.Pool({ connectionString: await emptyDatabase() });
  try {
    await migrate(pool);
    const client = await pool.connect();
    const description = await describeSchema(client);
    client.release();
    expect(readFileSync('docs/schema.md', 'utf8')).toBe(description);
  } finally {
    await pool.end();
  }
});
