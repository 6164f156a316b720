import type { Context } from '../context.ts';
import { notifyInvalidation } from './live-cache.ts';

const SENTINEL = 'sentinel';

/** Waits until all earlier invalidations have arrived on this node: notifications are delivered in order. */
export async function waitForInvalidations({ db, liveCache }: Context): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = liveCache.onInvalidation(SENTINEL, resolve);
  await notifyInvalidation(db, SENTINEL);
  await promise;
  stop();
}
