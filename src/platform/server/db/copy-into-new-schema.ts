import type pg from 'pg';
import { readCounters, restoreCounters, setUserTriggers, tablesInOrder } from './tables.ts';

/** Where the tables of the older version are while their rows are copied. */
const OLD_SCHEMA = 'douku_0_1';

/**
 * Replaces the schema of the database by the one that `createSchema` creates and keeps all rows. Within the transaction of the
 * caller: an upgrade that is interrupted leaves the database as it was.
 */
export async function copyIntoNewSchema(client: pg.PoolClient, createSchema: () => Promise<void>): Promise<void> {
  const oldTables = await tablesInOrder(client);
  const counters = await readCounters(client);
  await client.query(`create schema ${OLD_SCHEMA}`);
  await dropFunctions(client);
  for (const { name } of [...oldTables, { name: 'schema_migrations' }])
    await client.query(`alter table "${name}" set schema ${OLD_SCHEMA}`);
  await createSchema();
  const tables = await tablesInOrder(client);
  await setUserTriggers(client, tables, 'disable');
  for (const { name, columns } of tables) {
    const oldTable = oldTables.find((table) => table.name === name);
    if (!oldTable) continue;
    const names = columns.filter((column) => oldTable.columns.includes(column)).map((column) => `"${column}"`);
    await client.query(
      `insert into "${name}" (${names}) overriding system value select ${names} from ${OLD_SCHEMA}."${name}"`,
    );
  }
  await restoreCounters(client, counters);
  await setUserTriggers(client, tables, 'enable');
  await client.query(`drop schema ${OLD_SCHEMA} cascade`);
}

/** The triggers of the old tables go with the functions they call. */
async function dropFunctions(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(`
    select p.oid::regprocedure::text as signature from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace and n.nspname = current_schema()
    where not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);
  for (const { signature } of rows) await client.query(`drop function if exists ${signature} cascade`);
}
