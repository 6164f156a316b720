import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import type { OldNames } from '#platform/server/db/copy-into-new-schema.ts';
import { migrate } from '#platform/server/db/migrate.ts';
import { emptySite } from '#testing/empty-site.ts';
import { catalogueOf, expectUpgraded, queryOne } from '#testing/upgraded-site.ts';
import { LAST_MIGRATION_OF_0_1, ROWS_OF_EMPTY_TABLES, version01Site } from '#testing/version-0-1-site.ts';
import { restoreBackup } from './restore-backup.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'douku-old-schema-'));
afterAll(() => rm(folder, { recursive: true }));

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

describe('a database of version 0.1', () => {
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
