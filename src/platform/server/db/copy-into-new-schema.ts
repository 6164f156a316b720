import type pg from 'pg';
import {
  listTablesByDependency,
  readIdentityCounters,
  restoreIdentityCounters,
  setUserTriggers,
  type Table,
} from './table-catalogue.ts';

/** Holds the tables of version 0.1 while their rows are copied. */
const OLD_SCHEMA = 'douku_0_1';

/**
 * Names of version 0.1 by current name: of tables, and of columns as `table.column`. `dropped` maps each
 * old `table` or `table.column` that is not copied to the reason.
 */
export type OldNames = {
  tables: Record<string, string>;
  columns: Record<string, string>;
  dropped: Record<string, string>;
};

/**
 * Replaces the schema of the database by the one that `createSchema` creates and keeps all rows. Runs in the transaction
 * of the caller: an interrupted upgrade leaves the database unchanged, and so does one whose target
 * schema lacks an old table or column.
 */
export async function copyIntoNewSchema(
  client: pg.PoolClient,
  oldNames: OldNames,
  createSchema: () => Promise<void>,
): Promise<void> {
  const oldTables = await listTablesByDependency(client);
  const counters = await readIdentityCounters(client);
  await client.query(`create schema ${OLD_SCHEMA}`);
  await dropFunctions(client);
  for (const { name } of [...oldTables, { name: 'schema_migrations' }])
    await client.query(`alter table "${name}" set schema ${OLD_SCHEMA}`);
  await createSchema();
  const tables = await listTablesByDependency(client);
  const newNameOf = (oldName: string) =>
    Object.entries(oldNames.tables).find(([, name]) => name === oldName)?.[0] ?? oldName;
  const copies = tables.flatMap((table) => {
    const oldTable = oldTables.find(({ name }) => newNameOf(name) === table.name);
    return oldTable ? [{ table, oldTable, pairs: columnPairs(table, oldTable, oldNames.columns) }] : [];
  });
  assertAllCopied(oldTables, copies, oldNames.dropped);
  await setUserTriggers(client, tables, 'disable');
  for (const copy of copies) await copyRows(client, copy);
  await restoreIdentityCounters(
    client,
    counters.map((counter) => ({ ...counter, table: newNameOf(counter.table) })),
  );
  await setUserTriggers(client, tables, 'enable');
  await client.query(`drop schema ${OLD_SCHEMA} cascade`);
}

type ColumnPair = { column: string; oldColumn: string };
type TableCopy = { table: Table; oldTable: Table; pairs: ColumnPair[] };

const columnPairs = (table: Table, oldTable: Table, oldColumns: OldNames['columns']): ColumnPair[] =>
  table.columns
    .map((column) => ({ column, oldColumn: oldColumns[`${table.name}.${column}`] ?? column }))
    .filter(({ oldColumn }) => oldTable.columns.includes(oldColumn));

/** Dropping the old schema deletes what was not copied. */
function assertAllCopied(oldTables: Table[], copies: TableCopy[], droppedNames: OldNames['dropped']): void {
  const missingNames = oldTables.flatMap((oldTable) => {
    const copy = copies.find((each) => each.oldTable === oldTable);
    if (!copy) return [oldTable.name];
    const copiedColumns = copy.pairs.map(({ oldColumn }) => oldColumn);
    return oldTable.columns
      .filter((column) => !copiedColumns.includes(column))
      .map((column) => `${oldTable.name}.${column}`);
  });
  const unexplainedNames = missingNames.filter((name) => !(name in droppedNames));
  if (unexplainedNames.length > 0)
    throw new Error(`the upgrade from version 0.1 has no target for ${unexplainedNames.join(', ')}`);
}

async function copyRows(client: pg.PoolClient, { table, oldTable, pairs }: TableCopy) {
  const list = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ');
  await client.query(
    `insert into "${table.name}" (${list(pairs.map(({ column }) => column))}) overriding system value
     select ${list(pairs.map(({ oldColumn }) => oldColumn))} from ${OLD_SCHEMA}."${oldTable.name}"`,
  );
}

/** `cascade` also drops the triggers of the old tables that call these functions. */
async function dropFunctions(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(`
    select p.oid::regprocedure::text as signature from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace and n.nspname = current_schema()
    where not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);
  for (const { signature } of rows) await client.query(`drop function if exists ${signature} cascade`);
}
