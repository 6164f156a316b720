import type { Context } from '#platform/server/context.ts';
import { JobsStopping } from '#platform/server/jobs/jobs.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import {
  doOtherConversionsWait as askWhetherOthersWait,
  CONVERSION_QUEUE,
  type ConversionPool,
  findBackgroundCandidates,
  findForegroundCandidates,
  findSmallFileCandidates,
} from '../conversion-queue.ts';
import { type Lease, LeaseLost, takeLease } from '../rendition.ts';
import type { Attempt } from './attempt.ts';
import { type Conversion, ConversionSlots } from './conversion-slots.ts';
import { convertDocument } from './convert-document.ts';
import { prepareOfficeProfile } from './libreoffice-profile.ts';
import { NICE_VALUES, SlotSupervisor } from './slot-supervisor.ts';

const QUEUE_POLL_INTERVAL_MS = 5_000;
const SLOT_CHECK_INTERVAL_MS = 500;

/** Replaced in tests. */
type Steps = {
  convert: typeof convertDocument;
  doOthersWait: typeof askWhetherOthersWait;
  prepareConverters: typeof prepareOfficeProfile;
};

type Claim = { pool: ConversionPool; isAdditional?: boolean; findCandidates: () => Promise<number[]> };

/**
 * Claims documents from the queue whenever a slot is free. Documents start in the foreground pool. A document that uses
 * up its time slice while others wait, or is larger than one that waits, moves to the background pool, where it runs
 * with lower priority, so that a slow document delays no other and idle processors are always used.
 */
export function startConversionDispatcher(
  ctx: Context,
  { convert, doOthersWait, prepareConverters }: Steps = {
    convert: convertDocument,
    doOthersWait: askWhetherOthersWait,
    prepareConverters: prepareOfficeProfile,
  },
): { stop(): Promise<void> } {
  const dispatcher = new ConversionDispatcher(ctx, convert);
  const supervisor = new SlotSupervisor({
    ctx,
    slots: dispatcher.slots,
    signal: dispatcher.signal,
    doOthersWait,
    onFree: () => dispatcher.fill(),
  });
  const watch = setInterval(() => supervisor.check(), SLOT_CHECK_INTERVAL_MS);
  const poll = setInterval(() => dispatcher.fill(), QUEUE_POLL_INTERVAL_MS);
  const stopListening = ctx.liveCache.onInvalidation(CONVERSION_QUEUE, () => dispatcher.fill());
  const preparation = prepareConverters(ctx, dispatcher.signal);
  dispatcher.fill();
  return {
    async stop() {
      stopListening();
      clearInterval(poll);
      clearInterval(watch);
      await Promise.allSettled([preparation, dispatcher.stop()]);
    },
  };
}

class ConversionDispatcher {
  readonly slots = new ConversionSlots();
  readonly #ctx: Context;
  readonly #convert: typeof convertDocument;
  readonly #stopController = new AbortController();
  #fillPromise: Promise<void> | null = null;
  #isFillRequested = false;

  constructor(ctx: Context, convert: typeof convertDocument) {
    this.#ctx = ctx;
    this.#convert = convert;
  }

  get signal(): AbortSignal {
    return this.#stopController.signal;
  }

  async stop(): Promise<void> {
    this.#stopController.abort(new JobsStopping('the worker stops'));
    await this.#fillPromise;
    await this.slots.waitForAll();
  }

  /** Runs again when a change arrives during a run. */
  fill(): void {
    this.#isFillRequested = true;
    if (this.#fillPromise || this.signal.aborted) return;
    this.#fillPromise = (async () => {
      while (this.#isFillRequested && !this.signal.aborted) {
        this.#isFillRequested = false;
        await this.#fillPools();
      }
    })()
      .catch((error: unknown) => this.#ctx.log.warn({ err: error }, 'could not read the conversion queue'))
      .finally(() => {
        this.#fillPromise = null;
      });
  }

  async #fillPools(): Promise<void> {
    const ctx = this.#ctx;
    const { slots } = this;
    const isFree = (pool: ConversionPool) => !this.signal.aborted && slots.isFree(pool);
    const foreground: Claim = { pool: 'foreground', findCandidates: () => findForegroundCandidates(ctx) };
    while (isFree('foreground') && (await this.#claimNext(foreground)));
    const background: Claim = {
      pool: 'background',
      findCandidates: () => findBackgroundCandidates(ctx, slots.maxBackgroundLevel),
    };
    while (isFree('background') && (await this.#claimNext(background)));
    const smallFile: Claim = {
      pool: 'foreground',
      isAdditional: true,
      findCandidates: () => findSmallFileCandidates(ctx),
    };
    while (!this.signal.aborted && slots.canStartAdditionalSmallFile && (await this.#claimNext(smallFile)));
  }

  /** Returns false when no document waits for this pool. */
  #claimNext(claim: Claim): Promise<boolean> {
    return this.slots.withReservation(claim.pool, async () => {
      const candidates = await claim.findCandidates();
      await this.#claimFirst(claim, candidates);
      // Other workers may have leased all candidates; more documents may be queued behind them.
      return candidates.length > 0;
    });
  }

  async #claimFirst(claim: Claim, candidates: number[]): Promise<void> {
    for (const id of candidates) {
      const controller = new AbortController();
      const lease = await takeLease(this.#ctx, id, () => controller.abort(new LeaseLost()));
      if (!lease) continue;
      // The worker began to stop while the database answered: another worker converts the document.
      if (this.signal.aborted) return lease.release();
      return this.#start(claim, lease, controller);
    }
  }

  #start({ pool, isAdditional = false }: Claim, lease: Lease, controller: AbortController): void {
    const { rendition } = lease;
    const attempt: Attempt = {
      workload: new Workload(NICE_VALUES[pool]),
      signal: AbortSignal.any([controller.signal, this.signal]),
      isReadable: rendition.state === 'readable',
      isStopRequested: false,
    };
    const conversion: Conversion = {
      renditionId: rendition.id,
      pool,
      isAdditional,
      level: rendition.queue_level,
      format: rendition.format,
      sizeClass: rendition.size_class,
      attempt,
      sliceStart: 0,
      isSliceCheckRunning: false,
      abort: (reason) => controller.abort(reason),
    };
    const work = this.#convert(this.#ctx, lease, attempt, () => conversion.level)
      .catch((error: unknown) =>
        this.#ctx.log.error({ err: error, rendition: rendition.id }, 'could not finish a conversion'),
      )
      .finally(() => lease.stopRenewal());
    this.slots.occupy(conversion, work, () => this.fill());
  }
}
