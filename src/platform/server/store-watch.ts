import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Log } from './log.ts';

export type StoreName = 'postgres' | 's3' | 'opensearch';

/** A store accepted a call and does not answer it, nor anything else. */
export class StoreUnresponsive extends Error {
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

/** Runs one call to a store. The signal aborts when the store is found not to answer. */
export type CallStore = <T>(call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** For jobs and the command line: the call takes as long as it takes. */
export const callWithoutLimit: CallStore = (call) => call(new AbortController().signal);

export type StoreWatch = { call: CallStore; stop(): void };

type Options = {
  store: StoreName;
  /** The shortest question the store can be asked. Any answer shows that it works, errors included. */
  probe: (signal: AbortSignal) => Promise<unknown>;
  log: Log;
};

/** A call that waits this long has the store probed. */
const SUSPECT_AFTER_MS = 1_000;
/** The time a probe may take, in ticks of this process. */
const PROBE_TICKS = 25;
const TICK_MS = 100;
/** A tick that takes longer was late: the machine is busy, and says nothing about the store. */
const LATE_TICK_MS = 250;
const PROBE_PAUSE_MS = 500;

/**
 * Tells a slow call from a store that hangs. Only the latter ends a call: a store that still answers a
 * probe may take its time. While it hangs, further calls fail immediately; probes find out when it is
 * back.
 */
export function createStoreWatch({ store, probe, log }: Options): StoreWatch {
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
      // An answer that arrived while this process was busy is read before the time is judged.
      return (await Promise.race([answer, waitForTicks(answer)])) || (await Promise.race([answer, nextTurn()]));
    } finally {
      limit.abort();
    }
  }

  async function watch(): Promise<void> {
    isProbing = true;
    while (!isStopped && !(await answersProbe())) {
      if (!isHung) log.error({ store, calls: calls.size }, 'a store does not answer');
      isHung = true;
      for (const call of calls) call.abort(new StoreUnresponsive(store));
      await sleep(PROBE_PAUSE_MS, undefined, { ref: false });
    }
    if (isHung) log.info({ store }, 'the store answers again');
    isHung = false;
    isProbing = false;
  }

  return {
    async call(run) {
      if (isHung) {
        storeTimeouts.inc({ store });
        throw new StoreUnresponsive(store);
      }
      const controller = new AbortController();
      calls.add(controller);
      const timer = setInterval(() => isProbing || void watch(), SUSPECT_AFTER_MS);
      try {
        return await Promise.race([run(controller.signal), rejectOnAbort(controller.signal)]);
      } catch (error) {
        if (controller.signal.aborted) storeTimeouts.inc({ store });
        throw controller.signal.aborted ? controller.signal.reason : error;
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

const nextTurn = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)));

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
