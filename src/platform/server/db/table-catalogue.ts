import type pg from 'pg';

export type Table = { name: string; columns: string[] };

/** Each table follows the tables that its foreign keys refer to, so rows can be inserted in this order. */
export async function listTablesByDependency(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(`
    select c.relname as name,
           array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                       and a.attgenerated = ''
    where c.relkind = 'r' and c.relname <> 'schema_migrations'
    group by c.relname order by c.relname`);
  const { rows: foreignKeys } = await client.query<{ child: string; parent: string }>(`
    select distinct k.conrelid::regclass::text as child, k.confrelid::regclass::text as parent
    from pg_constraint k
    join pg_namespace n on n.oid = k.connamespace and n.nspname = current_schema()
    where k.contype = 'f' and k.conrelid <> k.confrelid`);
  const unquote = (name: string) => name.replaceAll('"', '');
  const orderedTables: Table[] = [];
  const append = (table: Table, path: string[]) => {
    if (orderedTables.includes(table)) return;
    if (path.includes(table.name)) throw new Error(`foreign keys form a cycle: ${path.join(' → ')}`);
    for (const { child, parent } of foreignKeys)
      if (unquote(child) === table.name) {
        const parentTable = tables.find(({ name }) => name === unquote(parent));
        if (parentTable) append(parentTable, [...path, table.name]);
      }
    orderedTables.push(table);
  };
  for (const table of tables) append(table, []);
  return orderedTables;
}

type IdentityCounter = { table: string; column: string; next: number };

async function identityColumns(client: pg.ClientBase) {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select c.relname as table, a.attname as column,
           pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
    where c.relkind = 'r' order by c.relname`);
  return rows;
}

/** The next id of each table. Ids of deleted rows must not be reused, and only the counters record them. */
export async function readIdentityCounters(client: pg.ClientBase): Promise<IdentityCounter[]> {
  const counters: IdentityCounter[] = [];
  for (const { table, column, sequence } of await identityColumns(client)) {
    const { rows } = await client.query<{ next: string }>(
      `select case when is_called then last_value + 1 else last_value end as next from ${sequence}`,
    );
    counters.push({ table, column, next: Number(rows[0]?.next ?? 1) });
  }
  return counters;
}

/** Call after inserting rows with their ids. A counter never falls below the largest id of its table. */
export async function restoreIdentityCounters(client: pg.ClientBase, savedCounters: IdentityCounter[]): Promise<void> {
  for (const { table, column, sequence } of await identityColumns(client)) {
    const next = savedCounters.find((each) => each.table === table && each.column === column)?.next ?? 1;
    await client.query(
      `select setval($1, greatest($2, coalesce((select max("${column}") from "${table}"), 0) + 1), false)`,
      [sequence, next],
    );
  }
}

/** Disable triggers while copying rows: the copied data already contains what the triggers derive. */
export async function setUserTriggers(
  client: pg.ClientBase,
  tables: Table[],
  state: 'disable' | 'enable',
): Promise<void> {
  for (const { name } of tables) await client.query(`alter table "${name}" ${state} trigger user`);
}
