export type CachedPage<T> = {
  value: T;
  /** Names of the data that the page shows; a change of any of them invalidates the page. */
  subjects: ReadonlySet<string>;
  bytes: number;
  /** False for a page that only the readers waiting for it may receive. */
  isCacheable: boolean;
};
type Entry<T> = CachedPage<T> & { loadedAt: number };

export type PageCache<T> = {
  /** Returns the value of `key`. The first reader of a missing value loads it; concurrent readers wait for that load. */
  get(key: string, load: () => Promise<CachedPage<T>>): Promise<T>;
  /** Removes the entries for which `isStale` is true, all by default. Later readers do not join a load in progress. */
  invalidate(isStale?: (subjects: ReadonlySet<string>) => boolean): void;
  size(): { entries: number; bytes: number };
};

type Limits = {
  /** Counted from the start of the load. */
  maxAgeMs: number;
  maxBytes: number;
  /** Monotonic clock in milliseconds: the time of day may be adjusted. */
  elapsed?: () => number;
};

/** A least-recently-used cache with a maximum age and a maximum size in bytes. */
export function createPageCache<T>({ maxAgeMs, maxBytes, elapsed = () => performance.now() }: Limits): PageCache<T> {
  const entries = new Map<string, Entry<T>>();
  const loads = new Map<string, Promise<CachedPage<T>>>();
  let bytes = 0;

  const remove = (key: string) => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const isFresh = ({ loadedAt }: Entry<T>) => elapsed() - loadedAt < maxAgeMs;
  function store(key: string, entry: Entry<T>) {
    remove(key);
    if (entry.bytes > maxBytes / 4) return;
    entries.set(key, entry);
    bytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes) return;
      remove(oldest);
    }
  }

  return {
    async get(key, load) {
      const entry = entries.get(key);
      if (entry && isFresh(entry)) {
        // Moved to the end: the first entry of the map is the least recently used.
        entries.delete(key);
        entries.set(key, entry);
        return entry.value;
      }
      const runningLoad = loads.get(key);
      if (runningLoad) return (await runningLoad).value;
      const loadedAt = elapsed();
      const newLoad = load();
      loads.set(key, newLoad);
      try {
        const page = await newLoad;
        // A load that was invalidated meanwhile may have read old data and is not stored.
        if (loads.get(key) === newLoad && page.isCacheable) store(key, { ...page, loadedAt });
        return page.value;
      } finally {
        if (loads.get(key) === newLoad) loads.delete(key);
      }
    },
    invalidate(isStale = () => true) {
      loads.clear();
      for (const [key, { subjects }] of entries) if (isStale(subjects)) remove(key);
    },
    size: () => ({ entries: entries.size, bytes }),
  };
}
