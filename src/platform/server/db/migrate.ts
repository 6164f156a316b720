import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from './db.ts';

const FOLDER = join(import.meta.dirname, '../../../../migrations');
/** Any number, the same on all nodes: one node migrates and seeds, the others wait. */
const LOCK = 20_260_101;

type Migration = { name: string; sql: string; checksum: string };

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(FOLDER, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Runs `work` while no other node migrates or seeds. */
export async function withSetupLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    return await work();
  } finally {
    // A closed session gives up its locks and settings.
    client.release(true);
  }
}

export const migrationNames = async () => (await readMigrations()).map(({ name }) => name);

/**
 * Applies what is new and returns its names. On a pool each file is a transaction of its own; a
 * client that is already in one keeps them all in it. `only` limits the files, for restoring the
 * state of an older version.
 */
export async function migrate(db: pg.Pool | pg.PoolClient, only?: string[]): Promise<string[]> {
  await db.query(
    `create table if not exists schema_migrations (
       name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const { rows } = await db.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations');
  const known = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const applied: string[] = [];
  for (const migration of await readMigrations()) {
    const { name, checksum } = migration;
    const before = known.get(name);
    if (before !== undefined && before !== checksum)
      throw new Error(`migration ${name} was changed after it had been applied`);
    if (before !== undefined || (only && !only.includes(name))) continue;
    if ('totalCount' in db) await inOwnTransaction(db, (client) => apply(client, migration));
    else await apply(db, migration);
    applied.push(name);
  }
  return applied;
}

async function apply(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  await client.query(sql);
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

async function inOwnTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } finally {
    client.release(true);
  }
}

/** Names not yet applied, for a health report. */
export async function pendingMigrations(db: Pick<Db, 'execute'>): Promise<string[]> {
  const { rows } = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as exists`,
  );
  const all = await migrationNames();
  if (!rows[0]?.exists) return all;
  const done = await db.execute<{ name: string }>(sql`select name from schema_migrations`);
  return all.filter((name) => !done.rows.some((row) => row.name === name));
}
