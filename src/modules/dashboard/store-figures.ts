import type { LiveCache } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';

export const MINUTE_MS = 60_000;

type Kept = { until: number; value: Promise<unknown> };
/** One for each process, however many contexts it has. */
const kept = new WeakMap<LiveCache, Map<string, Kept>>();

/** Figures that cost something are had at most once in that time, however many look at them. */
export function storeFigures<T>(ctx: Context, name: string, load: () => Promise<T>, keptMs = MINUTE_MS): Promise<T> {
  const values = kept.get(ctx.liveCache) ?? new Map<string, Kept>();
  kept.set(ctx.liveCache, values);
  const now = ctx.now().getTime();
  const known = values.get(name);
  if (known && now < known.until) return known.value as Promise<T>;
  // Those of other days are not asked for again.
  for (const [other, { until }] of values) if (until <= now) values.delete(other);
  const value = load();
  values.set(name, { until: now + keptMs, value });
  // A failure is not kept.
  value.catch(() => values.delete(name));
  return value;
}
