import { globSync } from 'node:fs';
import path from 'node:path';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';

const { pool } = await testApp();

/** Tables that only SQL reads and writes. */
const SQL_ONLY_TABLES = [
  'rate_limits',
  'schema_migrations',
  'search_blocks',
  'search_documents',
  'search_index',
  'search_segments',
  'search_slots',
  'search_suggestions',
  'search_word_uses',
  'seeds',
  'site_secrets',
];

async function drizzleTables() {
  const files = globSync('src/**/*.table.ts', { cwd: process.cwd() });
  const modules = await Promise.all(files.map((file) => import(path.resolve(file))));
  return modules.flatMap((module) =>
    Object.values(module).flatMap((value) => (value instanceof PgTable ? [getTableConfig(value)] : [])),
  );
}

type CatalogueColumn = { table: string; name: string; type: string; is_required: boolean };
const { rows: columns } = await pool.query<CatalogueColumn>(`
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         a.attnotnull as is_required
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  where a.attnum > 0 and not a.attisdropped`);
const tables = await drizzleTables();

test.each(tables.map((table) => [table.name, table] as const))(
  'the Drizzle table %s has the columns, types and nullability of the catalogue',
  (name, table) => {
    const byName = <T extends { name: string }>(rows: T[]) => rows.toSorted((a, b) => a.name.localeCompare(b.name));
    const drizzle = table.columns.map((column) => ({
      name: column.name,
      type: column.getSQLType().replace(/^timestamp.*/, 'timestamp with time zone'),
      is_required: column.notNull,
    }));
    const catalogue = columns
      .filter((column) => column.table === name)
      .map((column) => ({ name: column.name, type: column.type, is_required: column.is_required }));
    expect(byName(drizzle)).toEqual(byName(catalogue));
  },
);

test('every table of the catalogue has a Drizzle table or is listed as SQL only', () => {
  const drizzleNames = tables.map(({ name }) => name);
  const names = [...new Set(columns.map(({ table }) => table))];
  const missingNames = names.filter((name) => !drizzleNames.includes(name)).sort();
  expect(missingNames).toEqual(SQL_ONLY_TABLES);
});
