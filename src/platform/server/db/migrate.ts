import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { copyIntoNewSchema, type OldNames } from './copy-into-new-schema.ts';
import type { Db } from './db.ts';

const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../../../migrations');
/** An arbitrary number, equal on all nodes: one node migrates and seeds while the others wait. */
const SETUP_LOCK_ID = 20_260_101;

/** Migrations of version 0.1, for upgrading a database or a backup of that version. */
const VERSION_0_1_FOLDER = join(MIGRATIONS_FOLDER, '0.1');

type Migration = { name: string; sql: string; checksum: string };

async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
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
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK_ID]);
    return await work();
  } finally {
    // Closing the session releases its locks and settings.
    client.release(true);
  }
}

const namesOf = (migrations: Migration[]) => migrations.map(({ name }) => name);

export const migrationNames = async () => namesOf(await readMigrations());

export const migrationNamesOfVersion01 = async () => namesOf(await readMigrations(VERSION_0_1_FOLDER));

/**
 * Applies the pending migrations and returns their names. On a pool each migration runs in a separate transaction; on a
 * client all run in the transaction of the caller. A database of version 0.1 is upgraded first.
 */
export async function migrate(db: pg.Pool | pg.PoolClient, allowedNames?: string[]): Promise<string[]> {
  if (await hasVersion01Schema(db)) await withTransactionClient(db, upgradeFromVersion01);
  return applyPending(db, await readMigrations(), allowedNames);
}

/** Creates the schema of version 0.1 up to these migrations, for restoring a backup of that version. */
export const migrateToVersion01 = async (client: pg.PoolClient, allowedNames: string[]) =>
  applyPending(client, await readMigrations(VERSION_0_1_FOLDER), allowedNames);

async function hasVersion01Schema(db: pg.Pool | pg.PoolClient): Promise<boolean> {
  const { rows } = await db.query(`select to_regclass('schema_migrations') is not null as exists`);
  if (!rows[0]?.exists) return false;
  const [first] = await migrationNamesOfVersion01();
  return (await db.query('select 1 from schema_migrations where name = $1', [first])).rows.length > 0;
}

/** The first migrations, one for each module, correspond to version 0.1. Later ones are named `NNNN_module.what.sql`. */
const isBaseline = ({ name }: Migration) => name.split('.').length === 2;

/** Completes the schema of version 0.1, then copies its rows into the baseline, in one transaction. */
async function upgradeFromVersion01(client: pg.PoolClient): Promise<void> {
  await applyPending(client, await readMigrations(VERSION_0_1_FOLDER));
  const oldNames: OldNames = JSON.parse(await readFile(join(VERSION_0_1_FOLDER, 'old-names.json'), 'utf8'));
  await copyIntoNewSchema(client, oldNames, async () => {
    await applyPending(client, (await readMigrations()).filter(isBaseline));
  });
}

async function applyPending(
  db: pg.Pool | pg.PoolClient,
  migrations: Migration[],
  allowedNames?: string[],
): Promise<string[]> {
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
    if (appliedChecksum !== undefined || (allowedNames && !allowedNames.includes(name))) continue;
    await withTransactionClient(db, (client) => applyMigration(client, migration));
    appliedNames.push(name);
  }
  return appliedNames;
}

/** Runs `work` in a new transaction on a pool, and in the current transaction on a client. */
const withTransactionClient = (db: pg.Pool | pg.PoolClient, work: (client: pg.PoolClient) => Promise<void>) =>
  'totalCount' in db ? inNewTransaction(db, work) : work(db);

async function applyMigration(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  await client.query(sql);
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

async function inNewTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
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

export async function pendingMigrations(db: Pick<Db, 'execute'>): Promise<string[]> {
  const { rows } = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as exists`,
  );
  const allNames = await migrationNames();
  if (!rows[0]?.exists) return allNames;
  const appliedMigrations = await db.execute<{ name: string }>(sql`select name from schema_migrations`);
  return allNames.filter((name) => !appliedMigrations.rows.some((row) => row.name === name));
}
