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

type ColumnDefinition = {
  name: string;
  type: string;
  is_required: boolean;
  has_default: boolean;
  identity: 'always' | 'byDefault' | null;
  is_generated: boolean;
};
const { rows: columns } = await pool.query<ColumnDefinition & { table: string }>(`
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         a.attnotnull as is_required, a.atthasdef and a.attgenerated = '' as has_default,
         case a.attidentity when 'a' then 'always' when 'd' then 'byDefault' end as identity,
         a.attgenerated <> '' as is_generated
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  where a.attnum > 0 and not a.attisdropped`);
const { rows: primaryKeys } = await pool.query<{ table: string; columns: string[] }>(`
  select c.relname as table, array_agg(a.attname::text order by k.position) as columns
  from pg_constraint p
  join pg_class c on c.oid = p.conrelid
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  cross join unnest(p.conkey) with ordinality as k (attnum, position)
  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
  where p.contype = 'p'
  group by c.relname`);
const tables = await drizzleTables();

type DrizzleTable = (typeof tables)[number];

/** What the catalogue calls the types that it does not call as Drizzle does. */
const CATALOGUE_TYPES: Record<string, string> = {
  timestamptz: 'timestamp with time zone',
  timestamp: 'timestamp without time zone',
};

function columnDefinitions(table: DrizzleTable): ColumnDefinition[] {
  return table.columns.map((column) => ({
    name: column.name,
    type: CATALOGUE_TYPES[column.getSQLType()] ?? column.getSQLType(),
    is_required: column.notNull,
    // Drizzle also sets `hasDefault` for identity and generated columns.
    has_default: column.hasDefault && !column.generatedIdentity && !column.generated,
    identity: column.generatedIdentity?.type ?? null,
    is_generated: column.generated !== undefined,
  }));
}

function primaryKeyOf({ columns, primaryKeys: [primaryKey] }: DrizzleTable): string[] {
  return (primaryKey?.columns ?? columns.filter((column) => column.primary)).map(({ name }) => name);
}

const byName = <T extends { name: string }>(rows: T[]) => rows.toSorted((a, b) => a.name.localeCompare(b.name));

test.each(tables.map((table) => [table.name, table] as const))(
  'the Drizzle table %s has the columns, defaults and primary key of the catalogue',
  (name, table) => {
    const catalogue = columns
      .filter((column) => column.table === name)
      .map(({ table: _, ...definition }) => definition);
    expect(byName(columnDefinitions(table))).toEqual(byName(catalogue));
    expect(primaryKeyOf(table)).toEqual(primaryKeys.find((key) => key.table === name)?.columns ?? []);
  },
);

test('every table of the catalogue has a Drizzle table or is listed as SQL only', () => {
  const drizzleNames = tables.map(({ name }) => name);
  const names = [...new Set(columns.map(({ table }) => table))];
  const missingNames = names.filter((name) => !drizzleNames.includes(name)).sort();
  expect(missingNames).toEqual(SQL_ONLY_TABLES);
});
