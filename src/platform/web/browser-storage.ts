import { createJSONStorage, type PersistStorage, type StateStorage } from 'zustand/middleware';

/** Prefix of all keys of the site in local and session storage. */
export const STORAGE_PREFIX = 'douku:';

/** Storage may be full or disabled; the site then works without persistence. */
const failSafeStorage: StateStorage = {
  getItem: (name) => undefinedOnError(() => window.localStorage.getItem(name)) ?? null,
  setItem: (name, value) => undefinedOnError(() => window.localStorage.setItem(name, value)),
  removeItem: (name) => undefinedOnError(() => window.localStorage.removeItem(name)),
};

function undefinedOnError<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Options of zustand's `persist` that store the state in local storage under `douku:<key>`. */
export function localStorageOptions<T>(key: string): { name: string; storage?: PersistStorage<T> } {
  return { name: `${STORAGE_PREFIX}${key}`, storage: createJSONStorage<T>(() => failSafeStorage) };
}

const clearListeners = new Set<() => void>();

/** Registers a function that clears state in memory together with the local storage. */
export const onClearStorage = (clear: () => void) => clearListeners.add(clear);

/** Clears the local storage of the site, for example at logout. */
export function clearStorage() {
  for (const clear of clearListeners) clear();
  undefinedOnError(() => window.localStorage.clear());
}
