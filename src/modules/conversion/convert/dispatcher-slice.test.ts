import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition } from '../conversion.fixture.ts';
import { CONVERSION_QUEUE } from '../conversion-queue.ts';
import { renditions } from '../rendition.table.ts';
import { findRendition } from '../rendition.ts';
import type { Attempt } from './attempt.ts';
import { poolSizes } from './conversion-slots.ts';
import type { convertDocument } from './convert-document.ts';
import { startConversionDispatcher } from './dispatcher.ts';

const SEVERAL_WATCH_PERIODS_MS = 1_600;
const LEASE_RENEWAL_MS = 5_000;
/** No program is started. */
const prepareConverters = async () => {};
const NO_PROCESS = 2 ** 30;
const site = await testApp({ env: { LOG_LEVEL: 'silent' } });

/**
 * Counts connections that wait for a lock in the database of this site. Not called in a transaction, which would see only
 * the connections that existed at the first call.
 */
async function countLockWaits(): Promise<number | null> {
  const { rowCount } = await site.pool.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount;
}

test('a conversion that moves to the background is not interrupted when the database answers slowly', async () => {
  const startEvent = Promise.withResolvers<AbortSignal>();
  const finishEvent = Promise.withResolvers<void>();
  const convert: typeof convertDocument = async (_ctx, lease, { workload, signal }) => {
    workload.report(NO_PROCESS, 1_000);
    startEvent.resolve(signal);
    await finishEvent.promise;
    await lease.release({ convert_after: null });
  };
  const answers: ((isWaiting: boolean) => void)[] = [];
  const doOthersWait = () => new Promise<boolean>((answer) => answers.push(answer));
  await addRendition(site.ctx, '沉重.txt', Buffer.from('沉重'));
  const conversions = startConversionDispatcher(site.ctx, { convert, doOthersWait, prepareConverters });
  const signal = await startEvent.promise;
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  await sleep(SEVERAL_WATCH_PERIODS_MS);
  for (const answer of answers) answer(true);
  await sleep(0);
  expect(signal.aborted).toBe(false);
  finishEvent.resolve();
  await conversions.stop();
});

test('the lease of a conversion is no longer renewed when its outcome could not be stored', async () => {
  const convert = () => Promise.reject(new Error('the connection was closed'));
  const doOthersWait = () => Promise.resolve(false);
  const { id } = await addRendition(site.ctx, '失联.txt', Buffer.from('失联'));
  const leaseEnd = async () => (await findRendition(site.ctx, id))?.lease_until;
  const conversions = startConversionDispatcher(site.ctx, { convert, doOthersWait, prepareConverters });
  await expect.poll(leaseEnd).toEqual(expect.any(String));
  await conversions.stop();
  const end = await leaseEnd();
  await sleep(LEASE_RENEWAL_MS + 1_000);
  expect(await leaseEnd()).toBe(end);
});

test('a conversion that moves to the background while another is claimed there does not exceed the pool size', async () => {
  const { ctx, pool } = site;
  const add = async (name: string, queue_level: 0 | 1) => {
    const { id } = await addRendition(ctx, `${name}.txt`, Buffer.from(name));
    await ctx.db.update(renditions).set({ queue_level }).where(eq(renditions.id, id));
    return id;
  };
  const slowId = await add('前台', 0);
  for (let index = 1; index < poolSizes.background; index++) await add(`后台 ${index}`, 1);
  const lateId = await add('最后一个', 1);
  const attempts = new Map<number, Attempt>();
  const finishEvent = Promise.withResolvers<void>();
  const convert: typeof convertDocument = async (_ctx, lease, attempt) => {
    const { id } = lease.rendition;
    attempts.set(id, attempt);
    if (id === slowId) attempt.workload.report(NO_PROCESS, 1_000);
    const abortEvent = new Promise((resolve) => attempt.signal.addEventListener('abort', resolve));
    await Promise.race([finishEvent.promise, abortEvent]);
    await lease.release({ convert_after: null });
  };
  const isAnotherWaiting = Promise.withResolvers<boolean>();
  const doOthersWait = vi.fn(() => isAnotherWaiting.promise);
  const inBackground = () =>
    [...attempts.values()].filter(({ workload, signal }) => workload.nice > 0 && !signal.aborted);

  // The row lock delays the claim of the last document.
  const locker = await pool.connect();
  await locker.query('begin');
  await locker.query('select 1 from renditions where id = $1 for update', [lateId]);
  const conversions = startConversionDispatcher(ctx, { convert, doOthersWait, prepareConverters });
  await expect.poll(countLockWaits).toBe(1);
  await expect.poll(() => doOthersWait.mock.calls.length).toBeGreaterThan(0);
  isAnotherWaiting.resolve(true);
  const isSlowMoved = () => {
    const attempt = attempts.get(slowId);
    return attempt?.signal.aborted || attempt?.workload.nice !== 0;
  };
  await expect.poll(isSlowMoved).toBe(true);
  await locker.query('commit');
  locker.release();
  await expect.poll(() => attempts.has(lateId)).toBe(true);
  expect(inBackground().length).toBe(poolSizes.background);
  finishEvent.resolve();
  await conversions.stop();
});

test('a worker whose only candidate is taken by another worker claims the next document immediately', async () => {
  const { ctx, pool } = site;
  const { id: first } = await addRendition(ctx, '第一个.txt', Buffer.from('第一个'));
  const { id: second } = await addRendition(ctx, '第二个.txt', Buffer.from('第二个'));
  const claimedIds: number[] = [];
  const convert: typeof convertDocument = async (_ctx, lease) => {
    claimedIds.push(lease.rendition.id);
    await lease.release({ convert_after: null });
  };
  const doOthersWait = () => Promise.resolve(false);
  const otherWorker = await pool.connect();
  await otherWorker.query('begin');
  await otherWorker.query(`update renditions set lease_until = now() + interval '1 hour' where id = $1`, [first]);
  // Disables the periodic poll, which would claim the second document later.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const conversions = startConversionDispatcher(ctx, { convert, doOthersWait, prepareConverters });
  await expect.poll(countLockWaits).toBe(1);
  await otherWorker.query('commit');
  otherWorker.release();
  await expect.poll(() => claimedIds).toEqual([second]);
  vi.useRealTimers();
  await conversions.stop();
});

test('a document whose claim was under way when the worker began to stop goes back to the queue', async () => {
  const { ctx, pool } = site;
  const { id } = await addRendition(ctx, '正在领取.txt', Buffer.from('正在领取'));
  const convert = vi.fn<typeof convertDocument>();
  const otherConnection = await pool.connect();
  await otherConnection.query('begin');
  await otherConnection.query('select 1 from renditions where id = $1 for update', [id]);
  const conversions = startConversionDispatcher(ctx, { convert, doOthersWait: async () => false, prepareConverters });
  await expect.poll(countLockWaits).toBe(1);
  const stopPromise = conversions.stop();
  await otherConnection.query('commit');
  otherConnection.release();
  await stopPromise;
  expect(convert).not.toHaveBeenCalled();
  expect(await findRendition(ctx, id)).toMatchObject({
    lease_until: null,
    convert_after: expect.any(String),
  });
  await ctx.db.update(renditions).set({ convert_after: null }).where(eq(renditions.id, id));
});

/** Starts a dispatcher on a separate site whose conversions run until they are aborted. */
async function endlessConversions() {
  const { ctx } = await testApp({ env: { LOG_LEVEL: 'silent' } });
  const claimedIds: number[] = [];
  const convert: typeof convertDocument = async (_ctx, lease, { signal }) => {
    claimedIds.push(lease.rendition.id);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await lease.release({ convert_after: null });
  };
  const add = async (queue_level: 0 | 1 | 2, is_urgent = false) => {
    const name = crypto.randomUUID();
    const { id } = await addRendition(ctx, `${name}.txt`, Buffer.from(name));
    await ctx.db.update(renditions).set({ queue_level, is_urgent }).where(eq(renditions.id, id));
    await notifyInvalidation(ctx.db, CONVERSION_QUEUE);
    return id;
  };
  const start = () => startConversionDispatcher(ctx, { convert, doOthersWait: async () => false, prepareConverters });
  return { claimedIds, add, start };
}

test.runIf(poolSizes.background > 1)(
  'documents of level 2 use every processor while no others wait, and leave a background slot for other levels',
  async () => {
    const { claimedIds, add, start } = await endlessConversions();
    const slowest: number[] = [];
    for (let index = 0; index <= poolSizes.background; index++) slowest.push(await add(2));
    const conversions = start();
    await expect.poll(() => claimedIds).toEqual(slowest.slice(0, poolSizes.background));
    const slowId = await add(1);
    const ordinary = await add(0);
    await expect.poll(() => claimedIds).toEqual(expect.arrayContaining([slowId, ordinary]));
    expect(claimedIds).toHaveLength(poolSizes.background + 2);
    await conversions.stop();
  },
);

test('urgent documents of level 2 use no more than the slots of the foreground', async () => {
  const { claimedIds, add, start } = await endlessConversions();
  for (let index = 0; index < 3 * poolSizes.foreground; index++) await add(2, true);
  const last = await add(1);
  const conversions = start();
  // The dispatcher fills the background after the foreground.
  await expect.poll(() => claimedIds).toContain(last);
  expect(claimedIds.length).toBeLessThanOrEqual(poolSizes.foreground + poolSizes.background);
  await conversions.stop();
});
