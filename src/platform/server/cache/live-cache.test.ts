import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createDb, createPool } from '../db/db.ts';
import { emptyDatabase } from '../db/empty-database.fixture.ts';
import { createLog } from '../log.ts';
import { notifyInvalidation, openLiveCache } from './live-cache.ts';

const log = createLog('fatal');
const url = new URL(await emptyDatabase());
url.searchParams.set('application_name', 'listener');
const observer = new pg.Client(url.href.replace('listener', 'observer'));
await observer.connect();
const pool = createPool(url.href, log);
afterAll(async () => {
  await pool.end();
  await observer.end();
});

const countListeners = async (): Promise<number> => {
  const { rows } = await observer.query(
    `select count(*)::int as count from pg_stat_activity
     where application_name = 'listener' and query like 'listen%'`,
  );
  return rows[0].count;
};
const terminateListeners = () =>
  observer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'listener' and query like 'listen%'`,
  );

test('the live cache keeps a value until its invalidation is notified, and listens again after a lost connection', async () => {
  const cache = await openLiveCache(url.href, log);
  let loads = 0;
  const read = () => cache.get('thing', async () => ++loads);
  expect([await read(), await read()]).toEqual([1, 1]);
  await notifyInvalidation(createDb(pool), 'thing');
  await expect.poll(read).toBe(2);
  await terminateListeners();
  await expect.poll(countListeners).toBe(1);
  // Values are cached again: the second read loads nothing.
  const loadsOfTwoReads = async () => {
    cache.invalidateLocally('thing');
    const first = await read();
    return (await read()) - first;
  };
  await expect.poll(loadsOfTwoReads).toBe(0);
  await cache.close();
  await expect.poll(countListeners).toBe(0);
});

test('a live cache that is closed at any moment of a reconnection leaves no connection open', async () => {
  const caches = await Promise.all(Array.from({ length: 12 }, () => openLiveCache(url.href, log)));
  await terminateListeners();
  // The caches reconnect one second after the loss. Each is closed at another moment before, during or after that.
  await Promise.all(
    caches.map(async (cache, index) => {
      await sleep(985 + index * 5);
      await cache.close();
    }),
  );
  await sleep(1200);
  await expect.poll(countListeners).toBe(0);
});
