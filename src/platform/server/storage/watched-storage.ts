import type { CallStore } from '../store-watch.ts';
import type { Storage, StoredObject } from './driver.ts';

/**
 * A storage as requests use it: no call waits for a server that hangs. A listing is left alone: it
 * is long work of jobs and commands.
 */
export const watchedStorage = (storage: Storage, callStore: CallStore): Storage => ({
  ...storage,
  put: (key, body, options) => callStore(() => storage.put(key, body, options)),
  get: (key, range) => getWatched(callStore, () => storage.get(key, range)),
  read: (key, most) => callStore(() => storage.read(key, most)),
  stat: (key) => callStore(() => storage.stat(key)),
  delete: (key) => callStore(() => storage.delete(key)),
  deletePrefix: (prefix) => callStore(() => storage.deletePrefix(prefix)),
});

/** An object that arrives after its call was given up is closed: it would hold its socket unread. */
async function getWatched(callStore: CallStore, get: () => Promise<StoredObject>): Promise<StoredObject> {
  let isGivenUp = false;
  try {
    return await callStore(async () => {
      const object = await get();
      if (isGivenUp) object.stream.destroy();
      return object;
    });
  } catch (error) {
    isGivenUp = true;
    throw error;
  }
}
