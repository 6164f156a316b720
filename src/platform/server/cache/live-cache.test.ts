import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createDb, createPool } from '../db/db.ts';
import { emptyDatabase } from '../db/empty-database.fixture.ts';
import { createLog } from '../log.ts';
import { announceChange, openLiveCache } from './live-cache.ts';

const log = createLog('fatal');
const url = new URL(await emptyDatabase());
url.searchParams.set('application_name', 'listener');
const watcher = new pg.Client(url.href.replace('listener', 'watcher'));
await watcher.connect();
const pool = createPool(url.href, log);
afterAll(async () => {
  await pool.end();
  await watcher.end();
});

const listeners = async (): Promise<number> => {
  const { rows } = await watcher.query(
    `select count(*)::int as count from pg_stat_activity
     where application_name = 'listener' and query like 'listen%'`,
  );
  return rows[0].count;
};
const cut = () =>
  watcher.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'listener' and query like 'listen%'`,
  );

test('a value is kept until its change is announced, and listening goes on after a lost connection', async () => {
  const cache = await openLiveCache(url.href, log);
  let loads = 0;
  const read = () => cache.get('thing', async () => ++loads);
  expect([await read(), await read()]).toEqual([1, 1]);
  await announceChange(createDb(pool), 'thing');
  await expect.poll(read).toBe(2);
  await cut();
  await expect.poll(listeners).toBe(1);
  // Kept again: the second read loads nothing.
  const loadsOfTwoReads = async () => {
    cache.forget('thing');
    const first = await read();
    return (await read()) - first;
  };
  await expect.poll(loadsOfTwoReads).toBe(0);
  await cache.close();
  await expect.poll(listeners).toBe(0);
});

test('closing at any moment of a reconnection leaves no connection behind', async () => {
  const caches = await Promise.all(Array.from({ length: 12 }, () => openLiveCache(url.href, log)));
  await cut();
  // A second after the loss they connect again: before, during and after that moment each is closed.
  await Promise.all(
    caches.map(async (cache, index) => {
      await sleep(985 + index * 5);
      await cache.close();
    }),
  );
  await sleep(1200);
  await expect.poll(listeners).toBe(0);
});
