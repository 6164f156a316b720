import type { LiveCache } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';

export const MINUTE_MS = 60_000;

type CachedFigures = { until: number; value: Promise<unknown> };
/** One cache for each process, which may have several contexts. */
const caches = new WeakMap<LiveCache, Map<string, CachedFigures>>();

/** Loads expensive figures at most once in `ttlMs`. */
export function cacheFigures<T>(ctx: Context, name: string, load: () => Promise<T>, ttlMs = MINUTE_MS): Promise<T> {
  const values = caches.get(ctx.liveCache) ?? new Map<string, CachedFigures>();
  caches.set(ctx.liveCache, values);
  const now = ctx.now().getTime();
  const cachedFigures = values.get(name);
  if (cachedFigures && now < cachedFigures.until) return cachedFigures.value as Promise<T>;
  // Names contain the day, so entries of past days must be removed.
  for (const [cachedKey, { until }] of values) if (until <= now) values.delete(cachedKey);
  const value = load();
  values.set(name, { until: now + ttlMs, value });
  // A failure is not cached.
  value.catch(() => values.delete(name));
  return value;
}
