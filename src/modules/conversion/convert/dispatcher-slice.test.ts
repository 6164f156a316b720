import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { PoolClient } from 'pg';
import { expect, test, vi } from 'vitest';
import { announceChange } from '#platform/server/cache/live-cache.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition } from '../conversion.fixture.ts';
import { CONVERSION_QUEUE } from '../conversion-queue.ts';
import { renditions } from '../rendition.table.ts';
import { findRendition } from '../rendition.ts';
import type { Attempt } from './attempt.ts';
import type { convertDocument } from './convert-document.ts';
import { places, startConversions } from './dispatcher.ts';

const WATCH_PERIODS_MS = 1_600;
const LEASE_RENEWAL_MS = 5_000;
const NO_PROCESS = 2 ** 30;
const site = await testApp({ env: { LOG_LEVEL: 'silent' } });

/** How many connections wait for a lock in the database of this site. */
async function lockWaits(connection: PoolClient): Promise<number | null> {
  const { rowCount } = await connection.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount;
}

test('a conversion that moves to the background is not interrupted when the database answers slowly', async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const finished = Promise.withResolvers<void>();
  const convert: typeof convertDocument = async (_ctx, lease, { workload, signal }) => {
    workload.report(NO_PROCESS, 1_000);
    started.resolve(signal);
    await finished.promise;
    await lease.release({ convert_after: null });
  };
  const answers: ((isWaiting: boolean) => void)[] = [];
  const doOthersWait = () => new Promise<boolean>((answer) => answers.push(answer));
  await addRendition(site.ctx, '沉重.txt', Buffer.from('沉重'));
  const conversions = startConversions(site.ctx, { convert, doOthersWait });
  const signal = await started.promise;
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  await sleep(WATCH_PERIODS_MS);
  for (const answer of answers) answer(true);
  await sleep(0);
  expect(signal.aborted).toBe(false);
  finished.resolve();
  await conversions.stop();
});

test('the lease of a conversion is not renewed any more when its outcome could not be stored', async () => {
  const convert = () => Promise.reject(new Error('the connection was closed'));
  const doOthersWait = () => Promise.resolve(false);
  const { id } = await addRendition(site.ctx, '失联.txt', Buffer.from('失联'));
  const leaseEnd = async () => (await findRendition(site.ctx, id))?.lease_until;
  const conversions = startConversions(site.ctx, { convert, doOthersWait });
  await expect.poll(leaseEnd).toEqual(expect.any(String));
  await conversions.stop();
  const end = await leaseEnd();
  await sleep(LEASE_RENEWAL_MS + 1_000);
  expect(await leaseEnd()).toBe(end);
});

test('a conversion that moves to the background while another is being claimed there exceeds no limit', async () => {
  const { ctx, pool } = site;
  const add = async (name: string, queue_level: 0 | 1) => {
    const { id } = await addRendition(ctx, `${name}.txt`, Buffer.from(name));
    await ctx.db.update(renditions).set({ queue_level }).where(eq(renditions.id, id));
    return id;
  };
  const slow = await add('前台', 0);
  for (let index = 1; index < places.background; index++) await add(`后台 ${index}`, 1);
  const late = await add('最后一个', 1);
  const attempts = new Map<number, Attempt>();
  const finished = Promise.withResolvers<void>();
  const convert: typeof convertDocument = async (_ctx, lease, attempt) => {
    const { id } = lease.content;
    attempts.set(id, attempt);
    if (id === slow) attempt.workload.report(NO_PROCESS, 1_000);
    const aborted = new Promise((resolve) => attempt.signal.addEventListener('abort', resolve));
    await Promise.race([finished.promise, aborted]);
    await lease.release({ convert_after: null });
  };
  const isAnotherWaiting = Promise.withResolvers<boolean>();
  const doOthersWait = vi.fn(() => isAnotherWaiting.promise);
  const inBackground = () =>
    [...attempts.values()].filter(({ workload, signal }) => workload.nice > 0 && !signal.aborted);

  // The lock holds the claim of the last document back.
  const locker = await pool.connect();
  await locker.query('begin');
  await locker.query('select 1 from contents where id = $1 for update', [late]);
  const conversions = startConversions(ctx, { convert, doOthersWait });
  await expect.poll(() => lockWaits(locker)).toBe(1);
  await expect.poll(() => doOthersWait.mock.calls.length).toBeGreaterThan(0);
  isAnotherWaiting.resolve(true);
  const isSlowMoved = () => {
    const attempt = attempts.get(slow);
    return attempt?.signal.aborted || attempt?.workload.nice !== 0;
  };
  await expect.poll(isSlowMoved).toBe(true);
  await locker.query('commit');
  locker.release();
  await expect.poll(() => attempts.has(late)).toBe(true);
  expect(inBackground().length).toBe(places.background);
  finished.resolve();
  await conversions.stop();
});

test('a worker whose only candidate is taken by another worker claims the next document immediately', async () => {
  const { ctx, pool } = site;
  const { id: first } = await addRendition(ctx, '第一个.txt', Buffer.from('第一个'));
  const { id: second } = await addRendition(ctx, '第二个.txt', Buffer.from('第二个'));
  const claimed: number[] = [];
  const convert: typeof convertDocument = async (_ctx, lease) => {
    claimed.push(lease.content.id);
    await lease.release({ convert_after: null });
  };
  const doOthersWait = () => Promise.resolve(false);
  const otherWorker = await pool.connect();
  await otherWorker.query('begin');
  await otherWorker.query(`update contents set lease_until = now() + interval '1 hour' where id = $1`, [first]);
  // Without the regular look at the queue, which would find the second document later.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const conversions = startConversions(ctx, { convert, doOthersWait });
  await expect.poll(() => lockWaits(otherWorker)).toBe(1);
  await otherWorker.query('commit');
  otherWorker.release();
  await expect.poll(() => claimed).toEqual([second]);
  vi.useRealTimers();
  await conversions.stop();
});

test('a document whose claim was under way when the worker began to stop goes back to the queue', async () => {
  const { ctx, pool } = site;
  const { id } = await addRendition(ctx, '正在领取.txt', Buffer.from('正在领取'));
  const convert = vi.fn<typeof convertDocument>();
  const otherConnection = await pool.connect();
  await otherConnection.query('begin');
  await otherConnection.query('select 1 from contents where id = $1 for update', [id]);
  const conversions = startConversions(ctx, { convert, doOthersWait: async () => false });
  await expect.poll(() => lockWaits(otherConnection)).toBe(1);
  const stopped = conversions.stop();
  await otherConnection.query('commit');
  otherConnection.release();
  await stopped;
  expect(convert).not.toHaveBeenCalled();
  expect(await findRendition(ctx, id)).toMatchObject({
    lease_until: null,
    convert_after: expect.any(String),
  });
  await ctx.db.update(renditions).set({ convert_after: null }).where(eq(renditions.id, id));
});

/** Starts a dispatcher whose conversions never end by themselves, on a site of its own. */
async function endlessConversions() {
  const { ctx } = await testApp({ env: { LOG_LEVEL: 'silent' } });
  const claimed: number[] = [];
  const convert: typeof convertDocument = async (_ctx, lease, { signal }) => {
    claimed.push(lease.content.id);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await lease.release({ convert_after: null });
  };
  const add = async (queue_level: 0 | 1 | 2, is_urgent = false) => {
    const name = crypto.randomUUID();
    const { id } = await addRendition(ctx, `${name}.txt`, Buffer.from(name));
    await ctx.db.update(renditions).set({ queue_level, is_urgent }).where(eq(renditions.id, id));
    await announceChange(ctx.db, CONVERSION_QUEUE);
    return id;
  };
  const start = () => startConversions(ctx, { convert, doOthersWait: async () => false });
  return { claimed, add, start };
}

test.runIf(places.background > 1)(
  'documents of level 2 use every processor while no other waits, and leave a place for other levels',
  async () => {
    const { claimed, add, start } = await endlessConversions();
    const slowest: number[] = [];
    for (let index = 0; index <= places.background; index++) slowest.push(await add(2));
    const conversions = start();
    await expect.poll(() => claimed).toEqual(slowest.slice(0, places.background));
    const slow = await add(1);
    const ordinary = await add(0);
    await expect.poll(() => claimed).toEqual(expect.arrayContaining([slow, ordinary]));
    expect(claimed).toHaveLength(places.background + 2);
    await conversions.stop();
  },
);

test('documents of level 2 that readers wait for take no more than the places of the foreground', async () => {
  const { claimed, add, start } = await endlessConversions();
  for (let index = 0; index < 3 * places.foreground; index++) await add(2, true);
  const last = await add(1);
  const conversions = start();
  // The background is filled after the foreground.
  await expect.poll(() => claimed).toContain(last);
  expect(claimed.length).toBeLessThanOrEqual(places.foreground + places.background);
  await conversions.stop();
});
