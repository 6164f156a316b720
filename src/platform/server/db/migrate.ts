import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { copyIntoNewSchema, type OldNames } from './copy-into-new-schema.ts';
import type { Db } from './db.ts';

const FOLDER = join(import.meta.dirname, '../../../../migrations');
/** Any number, the same on all nodes: one node migrates and seeds, the others wait. */
const LOCK = 20_260_101;

/** The schema of version 0.1, from which a database or a backup of that version is upgraded. */
const FOLDER_OF_0_1 = join(FOLDER, '0.1');

type Migration = { name: string; sql: string; checksum: string };

async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
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

const namesOf = (migrations: Migration[]) => migrations.map(({ name }) => name);

export const migrationNames = async () => namesOf(await readMigrations());

export const migrationNamesOf01 = async () => namesOf(await readMigrations(FOLDER_OF_0_1));

/**
 * Applies the migrations that the database lacks and returns their names. On a pool each file is a
 * transaction of its own; a client that is already in a transaction keeps them all in it. A database
 * of version 0.1 is upgraded first.
 */
export async function migrate(db: pg.Pool | pg.PoolClient, only?: string[]): Promise<string[]> {
  if (await isOf01(db)) await inClient(db, upgradeFrom01);
  return applyMissing(db, await readMigrations(), only);
}

/** Creates the schema of version 0.1 as far as these migrations go, for restoring a backup of it. */
export const migrateTo01 = async (client: pg.PoolClient, only: string[]) =>
  applyMissing(client, await readMigrations(FOLDER_OF_0_1), only);

async function isOf01(db: pg.Pool | pg.PoolClient): Promise<boolean> {
  const { rows } = await db.query(`select to_regclass('schema_migrations') is not null as exists`);
  if (!rows[0]?.exists) return false;
  const [first] = await migrationNamesOf01();
  return (await db.query('select 1 from schema_migrations where name = $1', [first])).rows.length > 0;
}

/** Completes the schema of 0.1, then copies its rows into the present schema, in one transaction. */
async function upgradeFrom01(client: pg.PoolClient): Promise<void> {
  await applyMissing(client, await readMigrations(FOLDER_OF_0_1));
  const oldNames: OldNames = JSON.parse(await readFile(join(FOLDER_OF_0_1, 'old-names.json'), 'utf8'));
  await copyIntoNewSchema(client, oldNames, async () => {
    await applyMissing(client, await readMigrations());
  });
}

async function applyMissing(db: pg.Pool | pg.PoolClient, migrations: Migration[], only?: string[]): Promise<string[]> {
  await db.query(
    `create table if not exists schema_migrations (
       name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const { rows } = await db.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations');
  const checksums = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const appliedNames: string[] = [];
  for (const migration of migrations) {
    const { name, checksum } = migration;
    const appliedChecksum = checksums.get(name);
    if (appliedChecksum !== undefined && appliedChecksum !== checksum)
      throw new Error(`migration ${name} was changed after it had been applied`);
    if (appliedChecksum !== undefined || (only && !only.includes(name))) continue;
    await inClient(db, (client) => apply(client, migration));
    appliedNames.push(name);
  }
  return appliedNames;
}

/** In a transaction of its own on a pool, in the present one on a client. */
const inClient = (db: pg.Pool | pg.PoolClient, work: (client: pg.PoolClient) => Promise<void>) =>
  'totalCount' in db ? inOwnTransaction(db, work) : work(db);

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
