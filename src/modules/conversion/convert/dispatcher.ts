import { availableParallelism, totalmem } from 'node:os';
import type { Context } from '#platform/server/context.ts';
import { JobsStopping } from '#platform/server/jobs/jobs.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import type { FileFormat, QueueLevel } from '../conversion.contract.ts';
import {
  doOtherConversionsWait as askWhetherOthersWait,
  CONVERSION_QUEUE,
  type ConversionPool,
  doSmallerFilesWait,
  findBackgroundCandidates,
  findForegroundCandidates,
} from '../conversion-queue.ts';
import { LeaseLost, takeLease } from '../rendition.ts';
import type { Attempt } from './attempt.ts';
import { TimeSliceExceeded } from './conversion-errors.ts';
import { convertDocument } from './convert-document.ts';
import { prepareOfficeProfile } from './libreoffice-profile.ts';
import { sliceSeconds } from './time-slice.ts';

const POLL_MS = 5_000;
const WATCH_MS = 500;
/** A user waits for the first page of a document; other pages must not slow down page requests. */
const FOREGROUND_NICE = 0;
const BACKGROUND_NICE = 7;
const SMALL_MEMORY_BYTES = 2 * 1024 ** 3;

type Conversion = {
  renditionId: number;
  pool: ConversionPool;
  level: QueueLevel;
  format: FileFormat;
  attempt: Attempt;
  sliceStart: number;
  /** A check of its time slice is running; a slow database must not start a second one. */
  isWatched: boolean;
  abort(reason: Error): void;
};

/** Replaced in tests of the dispatcher. */
type Steps = { convert: typeof convertDocument; doOthersWait: typeof askWhetherOthersWait };

/** Maximum number of concurrent conversions in this process. */
export const poolSizes: Record<ConversionPool, number> = {
  foreground: availableParallelism(),
  background: totalmem() < SMALL_MEMORY_BYTES ? 1 : availableParallelism(),
};

/** One background slot stays free for other levels than 2 if there are at least two. */
const MAX_LEVEL_2_CONVERSIONS = Math.max(1, poolSizes.background - 1);

/**
 * Claims documents from the queue whenever a slot is free. Documents start in the foreground pool. A document that uses
 * up its time slice while others wait, or is larger than one that waits, moves to the background pool, where it runs
 * with lower priority, so that a slow document delays no other and idle processors are always used.
 */
export function startConversionDispatcher(
  ctx: Context,
  { convert, doOthersWait }: Steps = {
    convert: convertDocument,
    doOthersWait: askWhetherOthersWait,
  },
): { stop(): Promise<void> } {
  const runningConversions = new Map<Conversion, Promise<void>>();
  const stopController = new AbortController();
  let fillPromise: Promise<void> | null = null;
  let isFillRequested = false;
  /** Pool in which a running claim reserves a slot. */
  let reservedPool: ConversionPool | null = null;

  const conversionsIn = (pool: ConversionPool) =>
    [...runningConversions.keys()].filter((conversion) => conversion.pool === pool);
  const countLevel2 = () => conversionsIn('background').filter(({ level }) => level === 2).length;
  /** The one conversion of level 2 above its limit takes no slot from the other levels. */
  const countOccupiedSlots = (pool: ConversionPool) => {
    const isAboveLimit = pool === 'background' && countLevel2() > MAX_LEVEL_2_CONVERSIONS;
    return conversionsIn(pool).length - (isAboveLimit ? 1 : 0);
  };
  const hasFreeSlot = (pool: ConversionPool) =>
    !stopController.signal.aborted && countOccupiedSlots(pool) + (reservedPool === pool ? 1 : 0) < poolSizes[pool];
  /** Documents of level 2 may exceed their limit by one while a processor is idle. */
  const maxBackgroundLevel = (): QueueLevel => {
    const isProcessorIdle = poolSizes.background > 1 && runningConversions.size < availableParallelism();
    const limit = MAX_LEVEL_2_CONVERSIONS + (isProcessorIdle ? 1 : 0);
    return countLevel2() < limit ? 2 : 1;
  };

  async function fillPools(): Promise<void> {
    while (await claimNext('foreground', () => findForegroundCandidates(ctx)));
    while (await claimNext('background', () => findBackgroundCandidates(ctx, maxBackgroundLevel())));
  }

  /**
   * Returns false when no document waits for this pool. Reserves the slot, because a running conversion may move to the
   * background while the database answers.
   */
  async function claimNext(pool: ConversionPool, findCandidates: () => Promise<number[]>): Promise<boolean> {
    if (!hasFreeSlot(pool)) return false;
    reservedPool = pool;
    try {
      const candidates = await findCandidates();
      await claim(pool, candidates);
      // Other workers may have leased all candidates; more documents may be queued behind them.
      return candidates.length > 0;
    } finally {
      reservedPool = null;
    }
  }

  /** Runs again when a change arrives during a run. */
  function fill(): void {
    isFillRequested = true;
    if (fillPromise || stopController.signal.aborted) return;
    fillPromise = (async () => {
      while (isFillRequested && !stopController.signal.aborted) {
        isFillRequested = false;
        await fillPools();
      }
    })()
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not read the conversion queue'))
      .finally(() => {
        fillPromise = null;
      });
  }

  /** Leases the first candidate that no other worker has leased. */
  async function claim(pool: ConversionPool, candidates: number[]): Promise<void> {
    for (const id of candidates) {
      const controller = new AbortController();
      const lease = await takeLease(ctx, id, () => controller.abort(new LeaseLost()));
      if (!lease) continue;
      // The worker began to stop while the database answered: another worker converts the document.
      if (stopController.signal.aborted) return lease.release();
      const { rendition } = lease;
      const attempt: Attempt = {
        workload: new Workload(pool === 'foreground' ? FOREGROUND_NICE : BACKGROUND_NICE),
        signal: AbortSignal.any([controller.signal, stopController.signal]),
        isReadable: rendition.state === 'readable',
        isStopRequested: false,
      };
      const conversion: Conversion = {
        renditionId: id,
        pool,
        level: rendition.queue_level,
        format: rendition.format,
        attempt,
        sliceStart: 0,
        isWatched: false,
        abort: (reason) => controller.abort(reason),
      };
      const work = convert(ctx, lease, attempt, () => conversion.level)
        .catch((error: unknown) => ctx.log.error({ err: error, rendition: id }, 'could not finish a conversion'))
        .finally(() => {
          lease.stopRenewal();
          runningConversions.delete(conversion);
          fill();
        });
      runningConversions.set(conversion, work);
      return;
    }
  }

  async function watchSlice(conversion: Conversion): Promise<void> {
    const { attempt, level, format } = conversion;
    const { workload, isReadable } = attempt;
    if (isReadable && workload.nice < BACKGROUND_NICE) await workload.setNice(BACKGROUND_NICE);
    const sliceLimit = sliceSeconds({ level, format, isReadable });
    const isExceeded = workload.cpuSeconds - conversion.sliceStart > sliceLimit;
    if (!isExceeded || attempt.isStopRequested || !(await doOthersWait(ctx, conversion))) return;
    if (conversion.pool === 'foreground' && hasFreeSlot('background')) await moveToBackground(conversion);
    else if (isReadable) attempt.isStopRequested = true;
    else conversion.abort(new TimeSliceExceeded());
  }

  async function moveToBackground(conversion: Conversion): Promise<void> {
    const { workload } = conversion.attempt;
    conversion.pool = 'background';
    conversion.level = conversion.level === 2 ? 2 : 1;
    conversion.sliceStart = workload.cpuSeconds;
    fill();
    await workload.setNice(BACKGROUND_NICE);
  }

  /**
   * Moves one conversion out of a full foreground before the end of its slice, without losing work: one that is larger
   * than a file that waits, or one whose first pages can be read already while any document waits.
   */
  async function makeRoom(): Promise<void> {
    for (const conversion of conversionsIn('foreground')) {
      if (hasFreeSlot('foreground') || reservedPool === 'foreground' || !hasFreeSlot('background')) return;
      const { isReadable, isStopRequested } = conversion.attempt;
      if (isStopRequested) continue;
      const isRoomNeeded = isReadable
        ? await doOthersWait(ctx, conversion)
        : await doSmallerFilesWait(ctx, conversion.renditionId);
      if (isRoomNeeded && runningConversions.has(conversion)) return moveToBackground(conversion);
    }
  }

  let isMakingRoom = false;
  const watch = setInterval(() => {
    for (const conversion of runningConversions.keys()) {
      if (conversion.isWatched) continue;
      conversion.isWatched = true;
      watchSlice(conversion)
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not check a time slice'))
        .finally(() => {
          conversion.isWatched = false;
        });
    }
    if (isMakingRoom) return;
    isMakingRoom = true;
    makeRoom()
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not check whether smaller files wait'))
      .finally(() => {
        isMakingRoom = false;
      });
  }, WATCH_MS);
  const poll = setInterval(fill, POLL_MS);
  const stopListening = ctx.liveCache.onInvalidation(CONVERSION_QUEUE, fill);
  const profilePromise = prepareOfficeProfile(ctx, stopController.signal);
  fill();
  return {
    async stop() {
      stopListening();
      clearInterval(poll);
      clearInterval(watch);
      stopController.abort(new JobsStopping('the worker stops'));
      await Promise.allSettled([profilePromise, fillPromise, ...runningConversions.values()]);
    },
  };
}
