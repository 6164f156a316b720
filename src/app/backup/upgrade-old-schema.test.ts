import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import type { OldNames } from '#platform/server/db/copy-into-new-schema.ts';
import { migrate, migrationNames } from '#platform/server/db/migrate.ts';
import { emptySite } from '#testing/empty-site.ts';
import { HASH, LAST_MIGRATION_OF_0_1, ROWS_OF_EMPTY_TABLES, version01Site } from '#testing/version-0-1-site.ts';
import { restoreBackup } from './restore-backup.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'douku-old-schema-'));
afterAll(() => rm(folder, { recursive: true }));

const queryOne = async (pool: pg.Pool, sql: string) => (await pool.query(sql)).rows[0];

async function catalogueOf(pool: pg.Pool) {
  const { rows } = await pool.query(`
    select table_name, column_name, ordinal_position, data_type, is_nullable, column_default
      from information_schema.columns where table_schema = current_schema() order by 1, 3`);
  const definitions = await pool.query(`
    select pg_get_constraintdef(k.oid) as definition from pg_constraint k
      join pg_namespace n on n.oid = k.connamespace and n.nspname = current_schema()
    union all select indexdef from pg_indexes where schemaname = current_schema()
    union all select pg_get_functiondef(p.oid) from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace and n.nspname = current_schema()
    union all select pg_get_triggerdef(t.oid) from pg_trigger t where not tgisinternal
    order by 1`);
  return { columns: rows, definitions: definitions.rows };
}

async function rowCounts(pool: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query(`
    select tablename as name, (xpath('/row/count/text()',
      query_to_xml(format('select count(*) from %I', tablename), true, true, '')))[1]::text::int as count
    from pg_tables where schemaname = current_schema() and tablename <> 'schema_migrations' order by 1`);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

const oldNames: OldNames = JSON.parse(await readFile('migrations/0.1/old-names.json', 'utf8'));

const byNewName = (counts: Record<string, number>) => {
  const newNames = new Map(Object.entries(oldNames.tables).map(([newName, oldName]) => [oldName, newName]));
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [newNames.get(name) ?? name, count]));
};

async function expectUpgraded(pool: pg.Pool) {
  const documentQuery = `select title, status, favorite_count, award_settled_at is not null as is_award_settled
    from documents where id = 1`;
  expect(await queryOne(pool, documentQuery)).toEqual({
    title: '旧文档',
    status: 2,
    favorite_count: 1,
    is_award_settled: true,
  });
  expect(await queryOne(pool, `select username, doc_count from users where id = 1`)).toEqual({
    username: '旧用户',
    doc_count: 1,
  });
  const renamedColumnsQuery = `select
    (select hash from renditions join documents d on d.rendition_id = renditions.id where d.id = 1) as hash,
    (select award::int from check_ins where user_id = 1 and sign_at = 20260102) as award,
    (select page from page_render_requests where rendition_id = 1) as page,
    (select text from search_suggestions where normalized = 'word') as suggestion,
    (select count from download_days where limit_key = 'user:1') as downloads,
    (select is_full from search_index_queue where document_id = 1) as is_full,
    (select count(*)::int from related_terms_queue where document_id = 1) as related_terms_queued`;
  expect(await queryOne(pool, renamedColumnsQuery)).toEqual({
    hash: HASH,
    award: 3,
    page: 2,
    suggestion: 'Word',
    downloads: 4,
    is_full: true,
    related_terms_queued: 1,
  });
  const user = `insert into users (username, password_hash) values ('新用户', 'x') returning id::int`;
  expect(await queryOne(pool, user)).toEqual({ id: 3 });
  const { rows } = await pool.query('select name from schema_migrations order by name');
  expect(rows.map(({ name }) => name)).toEqual(await migrationNames());
}

describe('a database of version 0.1', () => {
  test('is upgraded to the current schema with all rows and id counters', async () => {
    const [{ pool }, newSite] = [await version01Site(folder), await emptySite(folder, () => new Date())];
    await migrate(pool);
    await migrate(newSite.pool);
    await expectUpgraded(pool);
    expect(await catalogueOf(pool)).toEqual(await catalogueOf(newSite.pool));
  });

  test('is upgraded when it lacks the last migrations of 0.1', async () => {
    const { pool } = await version01Site(folder, '0103_size_and_word_orders.sql');
    await migrate(pool);
    await expectUpgraded(pool);
  });

  test('has the same number of rows in every table after the upgrade', async () => {
    const { pool } = await version01Site(folder);
    await pool.query(ROWS_OF_EMPTY_TABLES);
    const oldCounts = byNewName(await rowCounts(pool));
    expect(Object.values(oldCounts)).not.toContain(0);
    await migrate(pool);
    expect(await rowCounts(pool)).toMatchObject(oldCounts);
  });

  test.each([
    ['table', 'create table planted_table (id bigint)', 'planted_table'],
    ['column', 'alter table users add column planted_column text', 'users.planted_column'],
  ])('stays unchanged when it has a %s that the current schema lacks', async (_, statement, name) => {
    const { pool } = await version01Site(folder);
    await pool.query(statement);
    const catalogue = await catalogueOf(pool);
    const counts = await rowCounts(pool);
    await expect(migrate(pool)).rejects.toThrow(`no target for ${name}`);
    expect(await catalogueOf(pool)).toEqual(catalogue);
    expect(await rowCounts(pool)).toEqual(counts);
  });

  test('stays unchanged when the upgrade fails', async () => {
    const { pool } = await version01Site(folder);
    await pool.query('create schema douku_0_1');
    await expect(migrate(pool)).rejects.toThrow('douku_0_1');
    expect(await queryOne(pool, 'select title from documents')).toEqual({ title: '旧文档' });
    expect(await queryOne(pool, 'select max(name) as last from schema_migrations')).toEqual({
      last: LAST_MIGRATION_OF_0_1,
    });
  });
});

/** Written by `douku backup` of version 0.1.0, with the rows of `version01Site` and one file. */
const BACKUP_OF_0_1 = path.join(import.meta.dirname, 'version-0-1.backup.base64');

test('a backup that version 0.1 wrote is restored into the current schema', async () => {
  const file = path.join(folder, 'old.backup');
  await writeFile(file, Buffer.from(await readFile(BACKUP_OF_0_1, 'utf8'), 'base64'));
  const site = await emptySite(folder, () => new Date());
  expect(await restoreBackup(site, file)).toEqual({ rows: 12, files: 1 });
  await expectUpgraded(site.pool);
  const { stream, contentType } = await site.ctx.storage.get('uploads/banner/ab/picture.webp');
  expect([await text(stream), contentType]).toEqual(['a picture', 'image/webp']);
});
