import type { CallStore } from '../store-watch.ts';
import type { Storage } from './driver.ts';

/**
 * A storage as requests use it: no call waits for a server that hangs. A listing is left alone: it
 * is long work of jobs and commands.
 */
export const watchedStorage = (storage: Storage, callStore: CallStore): Storage => ({
  ...storage,
  put: (key, body, options) => callStore(() => storage.put(key, body, options)),
  get: (key, range) => callStore(() => storage.get(key, range)),
  read: (key, most) => callStore(() => storage.read(key, most)),
  stat: (key) => callStore(() => storage.stat(key)),
  delete: (key) => callStore(() => storage.delete(key)),
  deletePrefix: (prefix) => callStore(() => storage.deletePrefix(prefix)),
});
