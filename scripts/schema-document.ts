import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';

const MIGRATIONS = path.join(import.meta.dirname, '../migrations');

type Column = {
  table: string;
  name: string;
  type: string;
  is_required: boolean;
  expression: string;
  reference: string;
};
type CatalogueEntry = { table: string; name: string; definition: string };

/** `0019_upload.sql` and `0030_upload.reservations.sql` belong to the module upload. */
const moduleOfMigration = (name: string) => name.replace(/^\d+_|(?:\.[\w-]+)?\.sql$/g, '');

/** Modules in the order of their first migrations, with the tables and functions that these create. */
function listModules(): { module: string; tables: string[]; functions: string[] }[] {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  return [...Map.groupBy(files.sort(), moduleOfMigration)].map(([module, names]) => {
    const text = names.map((name) => readFileSync(path.join(MIGRATIONS, name), 'utf8')).join('\n');
    const matchNames = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
    return {
      module,
      tables: matchNames(/^create (?:unlogged )?table (\w+)/gm),
      functions: matchNames(/^create function (\w+)/gm),
    };
  });
}

const COLUMNS = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         a.attnotnull as is_required,
         case when a.attidentity <> '' then 'identity' else coalesce(pg_get_expr(d.adbin, d.adrelid), '') end as expression,
         coalesce((select k.confrelid::regclass::text from pg_constraint k
           where k.contype = 'f' and k.conrelid = c.oid and k.conkey = array[a.attnum] limit 1), '') as reference
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped and c.relname <> 'schema_migrations'
  order by c.relname, a.attnum`;

const INDEXES = `
  select t.relname as table, i.relname as name,
         regexp_replace(pg_get_indexdef(x.indexrelid), '^CREATE (UNIQUE )?INDEX \\S+ ON \\S+ USING ', '\\1') as definition
  from pg_index x
  join pg_class i on i.oid = x.indexrelid
  join pg_class t on t.oid = x.indrelid
  join pg_namespace n on n.oid = t.relnamespace and n.nspname = current_schema()
  order by t.relname, i.relname`;

const TRIGGERS = `
  select c.relname as table, t.tgname as name, p.proname as definition
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal order by c.relname, t.tgname`;

const FUNCTIONS = `
  select p.proname as name from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace and n.nspname = current_schema()`;

const escapeCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function describeTable(name: string, columns: Column[], indexes: CatalogueEntry[], triggers: CatalogueEntry[]): string {
  const rows = columns
    .filter(({ table }) => table === name)
    .map(({ name: column, type, is_required, expression, reference }) =>
      [`\`${column}\``, type, is_required ? 'yes' : '', escapeCell(expression), reference && `\`${reference}\``].join(
        ' | ',
      ),
    );
  const list = (title: string, entries: CatalogueEntry[]) =>
    entries.length === 0
      ? []
      : ['', `${title}:`, ...entries.map((entry) => `- \`${entry.name}\`: ${escapeCell(entry.definition)}`)];
  return [
    `### ${name}`,
    '',
    '| column | type | not null | default | refers to |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    ...list(
      'Indexes',
      indexes.filter(({ table }) => table === name),
    ),
    ...list(
      'Triggers',
      triggers.filter(({ table }) => table === name),
    ),
    '',
  ].join('\n');
}

/** docs/schema.md: every table with its columns, indexes and triggers, from the catalogue of a migrated database. */
export async function describeSchema(client: pg.ClientBase): Promise<string> {
  const { rows: columns } = await client.query<Column>(COLUMNS);
  const { rows: indexes } = await client.query<CatalogueEntry>(INDEXES);
  const { rows: triggers } = await client.query<CatalogueEntry>(TRIGGERS);
  const { rows: functionRows } = await client.query<{ name: string }>(FUNCTIONS);
  // Later migrations drop some of the functions.
  const existingNames = new Set(functionRows.map(({ name }) => name));
  const sections = listModules().map(({ module, tables, functions: createdFunctions }) => {
    const functions = createdFunctions.filter((name) => existingNames.has(name));
    return [
      `## ${module}`,
      '',
      ...tables.map((table) => describeTable(table, columns, indexes, triggers)),
      ...(functions.length > 0 ? [`Functions: ${functions.map((name) => `\`${name}\``).join(', ')}.`, ''] : []),
    ].join('\n');
  });
  const head = [
    '# Database schema',
    '',
    'Generated by `npm run schema` from the catalogue of a migrated database; a test compares both. Modules in the order of their',
    'migrations (`migrations/`), whose comments give the reasons.',
    '',
  ];
  return [...head, ...sections].join('\n');
}
