import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { CATEGORIES_CACHE_KEY } from '#modules/category/category.ts';
import { findMissingEngineParts } from '#modules/conversion/recognition-engines.ts';
import { classifyRecognitionError } from '#modules/conversion/scanned-document.ts';
import { SETTINGS_CACHE_NAME } from '#modules/settings/load-settings.ts';
import type { Context } from '#platform/server/context.ts';
import { JobsStopping } from '#platform/server/jobs/jobs.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { type FindMissingParts, findRecognitionPermit } from './recognition-permit.ts';
import { RECOGNITION_QUEUE, type RecognitionLease, RecognitionLeaseLost, takeNextTask } from './recognition-queue.ts';
import { EngineNotWorking, recognizeStep } from './recognize-step.ts';

const QUEUE_POLL_INTERVAL_MS = 20_000;
const RETRY_SECONDS = 30;
const MAX_ATTEMPTS = 3;
const MAX_REASON_LENGTH = 500;
/** Conversions come first. With 19, a page would need hours beside busy programs of normal priority. */
const LOW_PRIORITY = 10;
/** Recognition leaves half of the processors to everything else. */
const CONCURRENT_TASKS = Math.max(1, Math.floor(availableParallelism() / 2));

/** Replaced in tests. */
type Steps = { recognize: typeof recognizeStep; findMissingParts: FindMissingParts };

/** Recognizes the pages of queued documents, a few pages of each in turn, while no conversion waits. */
export function startRecognitionDispatcher(
  ctx: Context,
  steps: Steps = { recognize: recognizeStep, findMissingParts: findMissingEngineParts },
): { stop(): Promise<void> } {
  const stopController = new AbortController();
  const wakeUps = createWakeUps(ctx);
  const loops = Array.from({ length: CONCURRENT_TASKS }, () =>
    runLoop(ctx, steps, { signal: stopController.signal, waitForWork: wakeUps.wait }),
  );
  return {
    async stop() {
      stopController.abort(new JobsStopping('the worker stops'));
      wakeUps.stop();
      await Promise.all(loops);
    },
  };
}

/** `wait` ends when the queue, a setting or a category changes, after the poll interval, or when the worker stops. */
function createWakeUps(ctx: Context) {
  let wakeUp = new AbortController();
  const wakeAll = () => {
    wakeUp.abort();
    wakeUp = new AbortController();
  };
  const stopListening = [RECOGNITION_QUEUE, SETTINGS_CACHE_NAME, CATEGORIES_CACHE_KEY].map((key) =>
    ctx.liveCache.onInvalidation(key, wakeAll),
  );
  return {
    wait: () => sleep(QUEUE_POLL_INTERVAL_MS, undefined, { signal: wakeUp.signal, ref: false }).catch(() => {}),
    stop() {
      for (const stop of stopListening) stop();
      wakeAll();
    },
  };
}

type Loop = { signal: AbortSignal; waitForWork: () => Promise<void> };

async function runLoop(ctx: Context, steps: Steps, { signal, waitForWork }: Loop): Promise<void> {
  while (!signal.aborted) {
    // Created before the queue is read, so that a change meanwhile ends the wait.
    const work = waitForWork();
    const hasRun = await runNextTask(ctx, steps, signal).catch((error: unknown) => {
      if (!signal.aborted) ctx.log.warn({ err: error }, 'could not read the queue of text recognition');
      return false;
    });
    if (!hasRun && !signal.aborted) await work;
  }
}

/** Returns false if no task may run now. */
async function runNextTask(ctx: Context, steps: Steps, stopSignal: AbortSignal): Promise<boolean> {
  const { recognize, findMissingParts } = steps;
  const permit = await findRecognitionPermit(ctx, findMissingParts);
  if (!permit.engine) return false;
  const leaseController = new AbortController();
  const lease = await takeNextTask(ctx, () => leaseController.abort(new RecognitionLeaseLost()));
  if (!lease) return false;
  const signal = AbortSignal.any([leaseController.signal, stopSignal]);
  const shouldStop = async () => !(await findRecognitionPermit(ctx, findMissingParts)).engine;
  try {
    const { engine, maxPages } = permit;
    const isDone = await recognize(ctx, lease, { engine, maxPages, nice: LOW_PRIORITY, signal, shouldStop });
    await lease.release({
      steps: sql`steps + 1`,
      reason: '',
      retry_at: null,
      ...(isDone && { state: 'done' as const }),
    });
  } catch (error) {
    await releaseAfterFailure(ctx, lease, error);
  }
  return true;
}

async function releaseAfterFailure(ctx: Context, lease: RecognitionLease, error: unknown): Promise<void> {
  if (error instanceof RecognitionLeaseLost) return;
  if (error instanceof JobsStopping) return lease.release();
  const retry_at = sql`now() + make_interval(secs => ${RETRY_SECONDS})`;
  const errorClass = classifyRecognitionError(error);
  if (errorClass === 'storage') return lease.release({ retry_at, reason: '存储暂时不可用，稍后自动继续' });
  const { rendition_id, attempts } = lease.task;
  ctx.log.warn({ err: error, rendition: rendition_id }, 'text recognition failed');
  const isFinal =
    errorClass === 'final' ||
    error instanceof StorageNotFound ||
    error instanceof EngineNotWorking ||
    attempts + 1 >= MAX_ATTEMPTS;
  await lease.release({
    attempts: attempts + 1,
    reason: readableReason(error),
    retry_at,
    ...(isFinal && { state: 'failed' as const }),
  });
}

/** Administrators read the reason: an error message that is not Chinese is replaced by a general one. */
function readableReason(error: unknown): string {
  if (error instanceof StorageNotFound) return '存储中没有这个文件';
  const message = error instanceof Error ? error.message : '';
  return /\p{Script=Han}/u.test(message) ? message.slice(0, MAX_REASON_LENGTH) : '识别程序出错';
}
