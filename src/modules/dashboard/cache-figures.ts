import type { LiveCache } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';

export const MINUTE_MS = 60_000;

type CachedFigures = { until: number; value: Promise<unknown> };
/** One for each process, however many contexts it has. */
const caches = new WeakMap<LiveCache, Map<string, CachedFigures>>();

/** Figures that cost something are had at most once in that time, however many look at them. */
export function cacheFigures<T>(ctx: Context, name: string, load: () => Promise<T>, ttlMs = MINUTE_MS): Promise<T> {
  const values = caches.get(ctx.live) ?? new Map<string, CachedFigures>();
  caches.set(ctx.live, values);
  const now = ctx.now().getTime();
  const cached = values.get(name);
  if (cached && now < cached.until) return cached.value as Promise<T>;
  // Those of other days are not asked for again.
  for (const [other, { until }] of values) if (until <= now) values.delete(other);
  const value = load();
  values.set(name, { until: now + ttlMs, value });
  // A failure is not kept.
  value.catch(() => values.delete(name));
  return value;
}
