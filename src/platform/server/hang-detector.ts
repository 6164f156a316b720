import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Log } from './log.ts';

export type StoreName = 'postgres' | 's3' | 'opensearch';

/** A store accepted a call and answers neither the call nor probes. */
export class StoreUnresponsiveError extends Error {
  override name = 'StoreUnresponsive';
  readonly store: StoreName;
  constructor(store: StoreName) {
    super(`${store} does not answer`);
    this.store = store;
  }
}

export const storeTimeouts = new Counter({
  name: 'douku_store_timeouts_total',
  help: 'Calls of requests given up because the store did not answer, by store',
  labelNames: ['store'] as const,
  registers: [],
});
for (const store of ['postgres', 's3', 'opensearch']) storeTimeouts.inc({ store }, 0);

type StoreCallOptions = {
  /** Also aborts the call of a store that answers probes: for bytes of an answer that has begun. */
  isProgressRequired?: boolean;
};

/** Runs one call to a store. The signal aborts if the store hangs. */
export type CallStore = <T>(call: (signal: AbortSignal) => Promise<T>, options?: StoreCallOptions) => Promise<T>;

/** For jobs and commands, whose calls may take any time. */
export const callWithoutHangDetection: CallStore = (call) => call(new AbortController().signal);

export type HangDetector = { call: CallStore; stop(): void };

type Options = {
  store: StoreName;
  /** The cheapest call of the store. Any answer, also an error, proves that the store works. */
  probe: (signal: AbortSignal) => Promise<unknown>;
  log: Log;
};

/** The store is probed when a call takes longer. */
const SUSPECT_AFTER_MS = 1_000;
/** Time limit of a probe, in ticks of this process. */
const PROBE_TICKS = 25;
const TICK_MS = 100;
/** A longer tick does not count: the machine was busy, which says nothing about the store. */
const LATE_TICK_MS = 250;
const PROBE_PAUSE_MS = 500;

/**
 * Distinguishes a slow call from a store that hangs. Calls are aborted only if the store does not answer a probe. While
 * the store hangs, further calls fail immediately, and probes detect when the store answers again.
 */
export function createHangDetector({ store, probe, log }: Options): HangDetector {
  const calls = new Set<AbortController>();
  let isHung = false;
  let isProbing = false;
  let isStopped = false;

  async function answersProbe(): Promise<boolean> {
    const limit = new AbortController();
    const answer = probe(limit.signal).then(
      () => true,
      () => true,
    );
    try {
      // The second race accepts an answer that arrived while this process was busy.
      return (
        (await Promise.race([answer, waitForTicks(answer)])) || (await Promise.race([answer, nextEventLoopIteration()]))
      );
    } finally {
      limit.abort();
    }
  }

  async function probeUntilAnswered(): Promise<void> {
    isProbing = true;
    while (!isStopped && !(await answersProbe())) {
      if (!isHung) log.error({ store, calls: calls.size }, 'a store does not answer');
      isHung = true;
      for (const call of calls) call.abort(new StoreUnresponsiveError(store));
      await sleep(PROBE_PAUSE_MS, undefined, { ref: false });
    }
    if (isHung) log.info({ store }, 'the store answers again');
    isHung = false;
    isProbing = false;
  }

  return {
    async call(runCall, { isProgressRequired = false } = {}) {
      if (isHung) {
        storeTimeouts.inc({ store });
        throw new StoreUnresponsiveError(store);
      }
      const controller = new AbortController();
      calls.add(controller);
      const answer = runCall(controller.signal);
      const abortUnlessAnswered = async () => {
        await waitForTicks(answer);
        if (!calls.has(controller)) return;
        log.error({ store }, 'a store stopped in the middle of an answer');
        controller.abort(new StoreUnresponsiveError(store));
      };
      let isSuspected = false;
      const timer = setInterval(() => {
        if (!isProbing) void probeUntilAnswered();
        if (isProgressRequired && !isSuspected) void abortUnlessAnswered();
        isSuspected = true;
      }, SUSPECT_AFTER_MS);
      try {
        return await Promise.race([answer, rejectOnAbort(controller.signal)]);
      } catch (error) {
        const reason: unknown = controller.signal.aborted ? controller.signal.reason : error;
        if (reason instanceof StoreUnresponsiveError) storeTimeouts.inc({ store });
        throw reason;
      } finally {
        clearInterval(timer);
        calls.delete(controller);
      }
    },
    stop() {
      isStopped = true;
    },
  };
}

/** Resolves with false after the ticks a probe may take; stops counting when the answer is there. */
async function waitForTicks(answer: Promise<unknown>): Promise<false> {
  let isAnswered = false;
  const settle = () => {
    isAnswered = true;
  };
  answer.then(settle, settle);
  for (let ticks = 0; ticks < PROBE_TICKS && !isAnswered; ) {
    const startedAt = performance.now();
    await sleep(TICK_MS, undefined, { ref: false });
    if (performance.now() - startedAt < LATE_TICK_MS) ticks += 1;
  }
  return false;
}

const nextEventLoopIteration = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)));

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
