import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import type { LiveCache } from './live-cache.ts';

export const MINUTE_MS = 60_000;
/** Names may contain the day, so old ones must be removed. */
const MAX_NAMES = 200;

/** One cache for each process, which may have several contexts. */
const caches = new WeakMap<LiveCache, LRUCache<string, Promise<unknown>>>();

/** Loads expensive figures at most once in `ttlMs` for all callers. */
export function cacheFigures<T>(ctx: Context, name: string, load: () => Promise<T>, ttlMs = MINUTE_MS): Promise<T> {
  const cache = caches.get(ctx.liveCache) ?? createFiguresCache(ctx);
  caches.set(ctx.liveCache, cache);
  const cachedFigures = cache.get(name);
  if (cachedFigures) return cachedFigures as Promise<T>;
  const figures = load();
  cache.set(name, figures, { ttl: ttlMs });
  // A failure is not cached.
  figures.catch(() => cache.delete(name));
  return figures;
}

const createFiguresCache = (ctx: Context) =>
  new LRUCache<string, Promise<unknown>>({
    max: MAX_NAMES,
    perf: { now: () => ctx.now().getTime() },
    ttlResolution: 0,
  });
