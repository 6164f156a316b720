import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { createDb, createPool } from '../db/db.ts';
import { emptyDatabase } from '../db/empty-database.fixture.ts';
import { createLog } from '../log.ts';
import { notifyInvalidation, openLiveCache } from './live-cache.ts';

const log = createLog('fatal');
/** The live cache reconnects so long after it has lost its connection. */
const RECONNECT_MS = 1_000;
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
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const caches = await Promise.all(Array.from({ length: 24 }, () => openLiveCache(url.href, log)));
  const losses = caches.map((cache) => new Promise((resolve) => cache.onAnyInvalidation(resolve)));
  await terminateListeners();
  await Promise.all(losses);
  const [firstCache, ...otherCaches] = caches;
  await firstCache?.close();
  expect(vi.getTimerCount()).toBe(otherCaches.length);
  // The others begin to reconnect. Each is closed a query later than the one before, the last ones after they have connected.
  vi.advanceTimersByTime(RECONNECT_MS);
  const closures: Promise<void>[] = [];
  for (const cache of otherCaches) {
    closures.push(cache.close());
    await countListeners();
  }
  await Promise.all(closures);
  // No cache reconnects later, and connections that began before this one are open by now.
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  await (await openLiveCache(url.href, log)).close();
  await expect.poll(countListeners).toBe(0);
});
