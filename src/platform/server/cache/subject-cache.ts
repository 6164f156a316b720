import { LRUCache } from 'lru-cache';

export type CachedEntry<T> = {
  value: T;
  /** Names of the data that the entry shows; a change of any of them invalidates the entry. */
  subjects: ReadonlySet<string>;
  bytes: number;
  /** False for an entry that only the readers waiting for it may receive. */
  isCacheable: boolean;
};

export type SubjectCache<T> = {
  /** Returns the value of `key`. The first reader of a missing value loads it; concurrent readers wait for that load. */
  get(key: string, load: () => Promise<CachedEntry<T>>): Promise<T>;
  /** Removes the entries for which `isStale` is true, all by default. Later readers do not join a load in progress. */
  invalidate(isStale?: (subjects: ReadonlySet<string>) => boolean): void;
  size(): { entries: number; bytes: number };
};

export type CacheLimits = {
  /** Counted from the start of the load. */
  maxAgeMs: number;
  maxBytes: number;
  /** Monotonic clock in milliseconds: the time of day may be adjusted. */
  elapsed?: () => number;
};

/** A least-recently-used cache of pages or responses with a maximum age, a maximum size in bytes, and their subjects. */
export function createSubjectCache<T>({
  maxAgeMs,
  maxBytes,
  elapsed = () => performance.now(),
}: CacheLimits): SubjectCache<T> {
  const pages = new LRUCache<string, CachedEntry<T>>({
    // The library accepts only positive integers.
    maxSize: Math.floor(maxBytes),
    maxEntrySize: Math.floor(maxBytes / 4),
    sizeCalculation: ({ bytes }) => Math.max(1, Math.ceil(bytes)),
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now: elapsed },
  });
  const loads = new Map<string, Promise<CachedEntry<T>>>();

  return {
    async get(key, load) {
      const cachedPage = pages.get(key);
      if (cachedPage) return cachedPage.value;
      const runningLoad = loads.get(key);
      if (runningLoad) return (await runningLoad).value;
      const start = elapsed();
      const newLoad = load();
      loads.set(key, newLoad);
      try {
        const page = await newLoad;
        // A load that was invalidated meanwhile may have read old data and is not stored.
        if (loads.get(key) === newLoad && page.isCacheable) pages.set(key, page, { start });
        return page.value;
      } finally {
        if (loads.get(key) === newLoad) loads.delete(key);
      }
    },
    invalidate(isStale = () => true) {
      loads.clear();
      for (const [key, { subjects }] of [...pages.entries()]) if (isStale(subjects)) pages.delete(key);
    },
    size: () => ({ entries: pages.size, bytes: pages.calculatedSize }),
  };
}
