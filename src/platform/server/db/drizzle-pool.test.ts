import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { createDb, createPool } from './db.ts';
import { probeDatabase } from './drizzle-pool.ts';
import { emptyDatabase } from './empty-database.fixture.ts';

const acceptedSockets: Socket[] = [];
/** Accepts connections and never answers or closes them, as a process that received SIGSTOP. */
const hungServer = createServer({ allowHalfOpen: true }, (socket) => {
  acceptedSockets.push(socket.on('error', () => {}).resume());
});
hungServer.listen(0, '127.0.0.1');
await once(hungServer, 'listening');
afterAll(() => {
  for (const socket of acceptedSockets) socket.destroy();
  hungServer.close();
});

const countOpenSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test('an aborted probe of a database that hangs leaves no open socket behind', async () => {
  const { port } = hungServer.address() as AddressInfo;
  const before = countOpenSockets();
  const limit = new AbortController();
  const probe = probeDatabase(`postgres://douku@127.0.0.1:${port}/douku`)(limit.signal);
  const outcome = probe.then(
    () => 'answered',
    () => 'failed',
  );
  await expect.poll(() => acceptedSockets.length).toBe(1);
  expect(countOpenSockets()).toBe(before + 2);
  limit.abort();
  // The server side of the connection stays open.
  await expect.poll(countOpenSockets).toBe(before + 1);
  expect(await outcome).toBe('failed');
});

test('a connection on which no transaction could be begun returns to the pool', async () => {
  const url = await emptyDatabase();
  const pool = createPool(url, createLog('fatal'), { max: 1 });
  const db = createDb(pool);
  const { rows } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  // Blocks this process, so that the pool does not notice the lost connection before it hands it out.
  const program = `
    const { default: pg } = await import('pg');
    const client = new pg.Client(process.argv[1]);
    await client.connect();
    await client.query('select pg_terminate_backend($1, 60000)', [process.argv[2]]);
    await client.end();`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, url, String(rows[0]?.pid)]);
  expect(String(stderr)).toBe('');
  await expect(db.transaction(async () => 'done')).rejects.toThrow();
  expect(await db.transaction(async () => 'done')).toBe('done');
  await pool.end();
});

test('frequent queries are prepared, and succeed after a migration made their plans invalid', async () => {
  const pool = createPool(await emptyDatabase(), createLog('fatal'), { max: 3 });
  const db = createDb(pool);
  await db.execute(sql`create table things (id int, size int)`);
  await db.execute(sql`insert into things values (1, 5)`);
  const readSize = async (id: number) => (await db.execute(sql`select size from things where id = ${id}`)).rows;
  for (let round = 0; round < 4; round++) await Promise.all([readSize(1), readSize(2), readSize(3)]);
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from pg_prepared_statements where statement like 'select size%'`,
  );
  expect(rows).toEqual([{ count: 1 }]);
  await db.execute(sql`alter table things alter column size type text`);
  expect(await readSize(1)).toEqual([{ size: '5' }]);
  await pool.end();
});
