import { isOutOfSpace } from './out-of-space.ts';
import type { Storage } from './storage-interface.ts';

/** `full`: the storage accepts no more bytes; stored objects can be read. */
export type StorageState = 'ok' | 'full' | 'unavailable';

const CHECK_TIMEOUT_MS = 3_000;
/** A check may write a file, so its result is reused for this time. */
const CACHE_TTL_MS = 5_000;

async function checkStorage(storage: Storage): Promise<StorageState> {
  const timeout = new Promise<StorageState>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, 'unavailable').unref());
  const state = storage.check().then(
    (): StorageState => 'ok',
    (error): StorageState => (isOutOfSpace(error) ? 'full' : 'unavailable'),
  );
  return Promise.race([state, timeout]);
}

export function createStorageStateCheck(storage: Storage): () => Promise<StorageState> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let state = Promise.resolve<StorageState>('unavailable');
  return () => {
    if (performance.now() - checkedAt >= CACHE_TTL_MS) {
      checkedAt = performance.now();
      state = checkStorage(storage);
    }
    return state;
  };
}
