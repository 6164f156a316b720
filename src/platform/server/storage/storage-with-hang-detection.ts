import type { CallStore } from '../hang-detector.ts';
import type { Storage, StoredObject } from './storage-interface.ts';

/**
 * A storage for requests, whose calls are aborted if the server hangs. `list` is not included, because only jobs and
 * commands use it.
 */
export const storageWithHangDetection = (storage: Storage, callStore: CallStore): Storage => ({
  ...storage,
  put: (key, body, options) => callStore(() => storage.put(key, body, options)),
  get: (key, range) => getAndCloseIfLate(callStore, () => storage.get(key, range)),
  read: (key, maxBytes) => callStore(() => storage.read(key, maxBytes)),
  stat: (key) => callStore(() => storage.stat(key)),
  delete: (key) => callStore(() => storage.delete(key)),
  deletePrefix: (prefix) => callStore(() => storage.deletePrefix(prefix)),
});

/** Closes an object that arrives after its call was aborted: unread, it would occupy a socket. */
async function getAndCloseIfLate(callStore: CallStore, get: () => Promise<StoredObject>): Promise<StoredObject> {
  let isAborted = false;
  try {
    return await callStore(async () => {
      const object = await get();
      if (isAborted) object.stream.destroy();
      return object;
    });
  } catch (error) {
    isAborted = true;
    throw error;
  }
}
