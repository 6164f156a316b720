import { createJSONStorage, type PersistStorage, type StateStorage } from 'zustand/middleware';

/** All our keys in the browser's storage begin with this. */
export const STORAGE_PREFIX = 'douku:';

/** Storage may be full or forbidden; the site then works without memory. */
const careful: StateStorage = {
  getItem: (name) => attempt(() => window.localStorage.getItem(name)) ?? null,
  setItem: (name, value) => attempt(() => window.localStorage.setItem(name, value)),
  removeItem: (name) => attempt(() => window.localStorage.removeItem(name)),
};

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Options of zustand's persist: kept under `douku:<key>`. */
export function persisted<T>(key: string): { name: string; storage?: PersistStorage<T> } {
  return { name: `${STORAGE_PREFIX}${key}`, storage: createJSONStorage<T>(() => careful) };
}

const clearings = new Set<() => void>();

/** Has something forgotten along with what the browser keeps. */
export const onClear = (forget: () => void) => clearings.add(forget);

/** Clears the whole local storage of the site. */
export function clearStorage() {
  for (const forget of clearings) forget();
  attempt(() => window.localStorage.clear());
}
