import { availableParallelism, totalmem } from 'node:os';
import type { Context } from '#platform/server/context.ts';
import { JobsStopping } from '#platform/server/jobs/jobs.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import type { FileFormat, QueueLevel } from '../conversion.contract.ts';
import {
  doOthersWait as askWhetherOthersWait,
  CONVERSION_QUEUE,
  type ConversionPlace,
  nextBackground,
  nextForeground,
} from '../conversion-queue.ts';
import { LeaseTaken, takeLease } from '../rendition.ts';
import type { Attempt } from './attempt.ts';
import { SliceUsedUp } from './conversion-errors.ts';
import { convertDocument } from './convert-document.ts';
import { prepareOfficeProfile } from './libreoffice-profile.ts';
import { sliceSeconds } from './time-slice.ts';

const POLL_MS = 5_000;
const WATCH_MS = 500;
/** A user waits for the first page of a document; the other pages yield to requests of readers. */
const FOREGROUND_NICE = 0;
const BACKGROUND_NICE = 7;
const SMALL_MEMORY_BYTES = 2 * 1024 ** 3;

type Conversion = {
  place: ConversionPlace;
  level: QueueLevel;
  format: FileFormat;
  attempt: Attempt;
  sliceStart: number;
  /** A check of its slice is under way; a slow database must not start a second one. */
  isWatched: boolean;
  abort(reason: Error): void;
};

/** What the dispatcher calls for each document; tests of the dispatcher replace it. */
type Steps = { convert: typeof convertDocument; doOthersWait: typeof askWhetherOthersWait };

/** How many conversions run at the same time in this process. */
export const places: Record<ConversionPlace, number> = {
  foreground: availableParallelism(),
  background: totalmem() < SMALL_MEMORY_BYTES ? 1 : availableParallelism(),
};

/** One place in the background is never taken by documents of level 2, as long as there are two. */
const MAX_LEVEL_2_PLACES = Math.max(1, places.background - 1);

/**
 * Claims documents from the queue whenever a place is free. Documents start in the foreground. One
 * that uses up its slice of processor time while others wait goes on in the background, where it
 * keeps running with lower priority, so that a slow document delays no other and idle processors are
 * always used.
 */
export function startConversions(
  ctx: Context,
  { convert, doOthersWait }: Steps = {
    convert: convertDocument,
    doOthersWait: askWhetherOthersWait,
  },
): { stop(): Promise<void> } {
  const running = new Map<Conversion, Promise<void>>();
  const stopping = new AbortController();
  let filling: Promise<void> | null = null;
  let isFillRequested = false;
  /** The place that a claim under way will use. */
  let reservedPlace: ConversionPlace | null = null;

  const runningIn = (place: ConversionPlace) => [...running.keys()].filter((conversion) => conversion.place === place);
  const countLevel2 = () => runningIn('background').filter(({ level }) => level === 2).length;
  /** The one conversion of level 2 above their limit takes no place from the other levels. */
  const countIn = (place: ConversionPlace) => {
    const isAboveLimit = place === 'background' && countLevel2() > MAX_LEVEL_2_PLACES;
    return runningIn(place).length - (isAboveLimit ? 1 : 0);
  };
  const hasFree = (place: ConversionPlace) =>
    !stopping.signal.aborted && countIn(place) + (reservedPlace === place ? 1 : 0) < places[place];
  /** Documents of level 2 exceed their limit, by one, only while a processor is idle. */
  const maxBackgroundLevel = (): QueueLevel => {
    const isProcessorIdle = places.background > 1 && running.size < availableParallelism();
    const limit = MAX_LEVEL_2_PLACES + (isProcessorIdle ? 1 : 0);
    return countLevel2() < limit ? 2 : 1;
  };

  async function fillPlaces(): Promise<void> {
    while (await claimNext('foreground', () => nextForeground(ctx)));
    while (await claimNext('background', () => nextBackground(ctx, maxBackgroundLevel())));
  }

  /**
   * Claims a document, if any waits for this place; false when none does. Reserves the place: a
   * running conversion may move to the background while the database answers.
   */
  async function claimNext(place: ConversionPlace, findCandidates: () => Promise<number[]>): Promise<boolean> {
    if (!hasFree(place)) return false;
    reservedPlace = place;
    try {
      const candidates = await findCandidates();
      await claim(place, candidates);
      // Other workers may have leased all candidates; more documents may be queued behind them.
      return candidates.length > 0;
    } finally {
      reservedPlace = null;
    }
  }

  /** Fills again when something changed meanwhile. */
  function fill(): void {
    isFillRequested = true;
    if (filling || stopping.signal.aborted) return;
    filling = (async () => {
      while (isFillRequested && !stopping.signal.aborted) {
        isFillRequested = false;
        await fillPlaces();
      }
    })()
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'conversion queue not readable'))
      .finally(() => {
        filling = null;
      });
  }

  /** Leases the first candidate that no other worker has taken, if there is one. */
  async function claim(place: ConversionPlace, candidates: number[]): Promise<void> {
    for (const id of candidates) {
      const controller = new AbortController();
      const lease = await takeLease(ctx, id, () => controller.abort(new LeaseTaken()));
      if (!lease) continue;
      // The program began to stop while the database answered: another worker goes on.
      if (stopping.signal.aborted) return lease.release();
      const { content } = lease;
      const attempt: Attempt = {
        workload: new Workload(place === 'foreground' ? FOREGROUND_NICE : BACKGROUND_NICE),
        signal: AbortSignal.any([controller.signal, stopping.signal]),
        isReadable: content.state === 'readable',
        isStopRequested: false,
      };
      const conversion: Conversion = {
        place,
        level: content.queue_level,
        format: content.format,
        attempt,
        sliceStart: 0,
        isWatched: false,
        abort: (reason) => controller.abort(reason),
      };
      const work = convert(ctx, lease, attempt, () => conversion.level)
        .catch((error: unknown) => ctx.log.error({ err: error, content: id }, 'conversion not concluded'))
        .finally(() => {
          lease.stopRenewal();
          running.delete(conversion);
          fill();
        });
      running.set(conversion, work);
      return;
    }
  }

  async function watchSlice(conversion: Conversion): Promise<void> {
    const { attempt, level, format } = conversion;
    const { workload, isReadable } = attempt;
    if (isReadable && workload.nice < BACKGROUND_NICE) await workload.setNice(BACKGROUND_NICE);
    const slice = sliceSeconds({ level, format, isReadable });
    const isOver = workload.cpuSeconds - conversion.sliceStart > slice;
    if (!isOver || attempt.isStopRequested || !(await doOthersWait(ctx, conversion))) return;
    if (conversion.place === 'foreground' && hasFree('background')) {
      conversion.place = 'background';
      conversion.level = level === 2 ? 2 : 1;
      conversion.sliceStart = workload.cpuSeconds;
      await workload.setNice(BACKGROUND_NICE);
      fill();
    } else if (isReadable) attempt.isStopRequested = true;
    else conversion.abort(new SliceUsedUp());
  }

  const watch = setInterval(() => {
    for (const conversion of running.keys()) {
      if (conversion.isWatched) continue;
      conversion.isWatched = true;
      watchSlice(conversion)
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'time slice not watched'))
        .finally(() => {
          conversion.isWatched = false;
        });
    }
  }, WATCH_MS);
  const poll = setInterval(fill, POLL_MS);
  const stopListening = ctx.live.onChange(CONVERSION_QUEUE, fill);
  const preparing = prepareOfficeProfile(ctx, stopping.signal);
  fill();
  return {
    async stop() {
      stopListening();
      clearInterval(poll);
      clearInterval(watch);
      stopping.abort(new JobsStopping('the program stops'));
      await Promise.allSettled([preparing, filling, ...running.values()]);
    },
  };
}
