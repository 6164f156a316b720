import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import { testApp } from '#testing/test-app.ts';
import { CONVERSION_QUEUE, doOtherConversionsWait } from '../conversion-queue.ts';
import { registerRendition } from '../register-rendition.ts';
import type { Attempt } from './attempt.ts';
import { poolSizes } from './conversion-slots.ts';
import type { convertDocument } from './convert-document.ts';
import { startConversionDispatcher } from './dispatcher.ts';

/** No program is started. */
const prepareConverters = async () => {};
const NO_PROCESS = 2 ** 30;
const SEVERAL_WATCH_PERIODS_MS = 1_600;
const SMALL = 83;
const LARGE = 5_000_000;

/** A dispatcher on a separate site whose conversions use no processor time and run until they are aborted. */
async function endlessConversions() {
  const { ctx } = await testApp({ env: { LOG_LEVEL: 'silent' } });
  const attempts = new Map<number, Attempt>();
  const convert: typeof convertDocument = async (_ctx, lease, attempt) => {
    attempts.set(lease.rendition.id, attempt);
    await new Promise((resolve) => attempt.signal.addEventListener('abort', resolve));
    await lease.release({ convert_after: null });
  };
  const add = async (size: number) => {
    const hash = randomBytes(32).toString('hex');
    const { id } = await registerRendition(ctx, { hash, format: 'pptx', size });
    await notifyInvalidation(ctx.db, CONVERSION_QUEUE);
    return id;
  };
  /** Queues the documents first, because a large one that is queued later may start in the background. */
  const startWithFullForeground = async (size: number) => {
    for (let count = 0; count < poolSizes.foreground; count++) await add(size);
    const conversions = startConversionDispatcher(ctx, {
      convert,
      doOthersWait: doOtherConversionsWait,
      prepareConverters,
    });
    await expect.poll(() => attempts.size).toBe(poolSizes.foreground);
    return { conversions, runningOnes: [...attempts.values()] };
  };
  return { attempts, add, startWithFullForeground };
}

const countMovedToBackground = (attempts: Attempt[]) => attempts.filter(({ workload }) => workload.nice > 0).length;
const countAborted = (attempts: Attempt[]) => attempts.filter(({ signal }) => signal.aborted).length;

afterEach(() => {
  vi.useRealTimers();
});

test('a small file does not wait for large ones: one of them moves to the background', async () => {
  const { attempts, add, startWithFullForeground } = await endlessConversions();
  const { conversions, runningOnes: largeOnes } = await startWithFullForeground(LARGE);
  const smallId = await add(SMALL);
  await expect.poll(() => attempts.has(smallId)).toBe(true);
  expect(countMovedToBackground(largeOnes)).toBe(1);
  expect(countAborted(largeOnes)).toBe(0);
  expect(attempts.get(smallId)?.workload.nice).toBe(0);
  await conversions.stop();
});

test('one small file at a time starts although large files occupy all slots, and equal files wait', async () => {
  const { attempts, add, startWithFullForeground } = await endlessConversions();
  const { conversions } = await startWithFullForeground(LARGE);
  const slotCount = poolSizes.foreground + poolSizes.background;
  for (let count = poolSizes.foreground; count < slotCount; count++) await add(LARGE);
  await expect.poll(() => attempts.size).toBe(slotCount);
  const largeOnes = [...attempts.values()];
  await add(LARGE);
  const smallId = await add(SMALL);
  await expect.poll(() => attempts.has(smallId)).toBe(true);
  await add(SMALL);
  await sleep(SEVERAL_WATCH_PERIODS_MS);
  expect(attempts.size).toBe(slotCount + 1);
  expect(attempts.get(smallId)?.workload.nice).toBe(0);
  expect(countAborted(largeOnes)).toBe(0);
  expect(largeOnes.filter(({ isStopRequested }) => isStopRequested)).toEqual([]);
  await conversions.stop();
});

test('a document with readable pages makes room for a new one of the same size', async () => {
  const { attempts, add, startWithFullForeground } = await endlessConversions();
  const { conversions, runningOnes } = await startWithFullForeground(SMALL);
  const [first, ...otherAttempts] = runningOnes;
  if (!first) throw new Error('the foreground is empty');
  first.isReadable = true;
  const nextId = await add(SMALL);
  await expect.poll(() => attempts.has(nextId)).toBe(true);
  expect(first).toMatchObject({ isStopRequested: false, signal: { aborted: false } });
  expect(countMovedToBackground(otherAttempts)).toBe(0);
  await conversions.stop();
});

test('a conversion that gets no processor time keeps its slot for any time while equal documents wait', async () => {
  const { attempts, add, startWithFullForeground } = await endlessConversions();
  const { conversions, runningOnes } = await startWithFullForeground(SMALL);
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const nextId = await add(SMALL);
  await sleep(SEVERAL_WATCH_PERIODS_MS);
  vi.advanceTimersByTime(10 * 60_000);
  await sleep(SEVERAL_WATCH_PERIODS_MS);
  expect(attempts.has(nextId)).toBe(false);
  expect([countMovedToBackground(runningOnes), countAborted(runningOnes)]).toEqual([0, 0]);

  const [first] = runningOnes;
  first?.workload.report(NO_PROCESS, 60);
  await expect.poll(() => attempts.has(nextId)).toBe(true);
  expect(first?.signal.aborted).toBe(false);
  await conversions.stop();
});
