export type CachedPage<T> = {
  value: T;
  /** What it shows; a change of that drops it. */
  subjects: ReadonlySet<string>;
  bytes: number;
  /** False for an answer that holds for nobody but whoever waits for it now. */
  isKept: boolean;
};
type Entry<T> = CachedPage<T> & { madeAt: number };

export type PageCache<T> = {
  /** The value under `key`; made by the first who asks, while the others wait. */
  get(key: string, make: () => Promise<CachedPage<T>>): Promise<T>;
  /** Drops what `isStale` says, everything by default; what is being made is given to nobody new. */
  drop(isStale?: (subjects: ReadonlySet<string>) => boolean): void;
  size(): { entries: number; bytes: number };
};

type Limits = {
  /** Counted from the moment before the making began. */
  maxAgeMs: number;
  maxBytes: number;
  /** Milliseconds since some moment: an age is no time of day, and clocks are set. */
  elapsed?: () => number;
};

/** Values that many ask for: none older than the limit, the least asked for leave first. */
export function createPageCache<T>({ maxAgeMs, maxBytes, elapsed = () => performance.now() }: Limits): PageCache<T> {
  const entries = new Map<string, Entry<T>>();
  const making = new Map<string, Promise<CachedPage<T>>>();
  let bytes = 0;

  const remove = (key: string) => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const isFresh = ({ madeAt }: Entry<T>) => elapsed() - madeAt < maxAgeMs;
  function keep(key: string, entry: Entry<T>) {
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
    async get(key, make) {
      const known = entries.get(key);
      if (known && isFresh(known)) {
        // To the end: the first one is the one that was not asked for the longest.
        entries.delete(key);
        entries.set(key, known);
        return known.value;
      }
      const begun = making.get(key);
      if (begun) return (await begun).value;
      const madeAt = elapsed();
      const work = make();
      making.set(key, work);
      try {
        const made = await work;
        // Not when it was dropped meanwhile: it may have read what was true before.
        if (making.get(key) === work && made.isKept) keep(key, { ...made, madeAt });
        return made.value;
      } finally {
        if (making.get(key) === work) making.delete(key);
      }
    },
    drop(isStale = () => true) {
      making.clear();
      for (const [key, { subjects }] of entries) if (isStale(subjects)) remove(key);
    },
    size: () => ({ entries: entries.size, bytes }),
  };
}
