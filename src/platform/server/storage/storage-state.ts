import type { Storage } from './driver.ts';
import { isOutOfSpace } from './out-of-space.ts';

/** `full`: it takes no more bytes, and what is stored can be read. */
export type StorageState = 'ok' | 'full' | 'unavailable';

const CHECK_LIMIT_MS = 3_000;
/** A check may write a file; however many ask, one serves all for a while. */
const CHECK_EVERY_MS = 5_000;

async function checkStorage(storage: Storage): Promise<StorageState> {
  const late = new Promise<StorageState>((resolve) => setTimeout(resolve, CHECK_LIMIT_MS, 'unavailable').unref());
  const state = storage.check().then(
    (): StorageState => 'ok',
    (error): StorageState => (isOutOfSpace(error) ? 'full' : 'unavailable'),
  );
  return Promise.race([state, late]);
}

export function storageStateOf(storage: Storage): () => Promise<StorageState> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let state = Promise.resolve<StorageState>('unavailable');
  return () => {
    if (performance.now() - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = performance.now();
      state = checkStorage(storage);
    }
    return state;
  };
}
