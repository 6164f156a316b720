import { Readable } from 'node:stream';
import type { CallStore } from '../hang-detector.ts';
import { readObject } from './read-object.ts';
import type { Storage, StoredObject } from './storage-interface.ts';

/**
 * A storage for requests, whose calls are aborted if the server hangs, also in the middle of an object. `list` is not
 * included, because only jobs and commands use it.
 */
export function storageWithHangDetection(storage: Storage, callStore: CallStore): Storage {
  const get: Storage['get'] = async (key, range) => {
    const object = await getAndCloseIfLate(callStore, () => storage.get(key, range));
    return { ...object, stream: failOnSilence(callStore, object.stream) };
  };
  return {
    ...storage,
    put: (key, body, options) =>
      callStore(() => storage.put(key, body, { ...options, failsOnStall: true })).catch((error: unknown) => {
        // Ends an upload that still waits for the server.
        if (!Buffer.isBuffer(body)) body.destroy();
        throw error;
      }),
    get,
    read: (key, maxBytes) => readObject(get, key, maxBytes),
    stat: (key) => callStore(() => storage.stat(key)),
    delete: (key) => callStore(() => storage.delete(key)),
    deletePrefix: (prefix) => callStore(() => storage.deletePrefix(prefix)),
  };
}

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

/** Fails if the server sends nothing while the reader waits. A slow reader may pause for any time. */
function failOnSilence(callStore: CallStore, source: Readable): Readable {
  const iterator: AsyncIterator<Buffer> = source[Symbol.asyncIterator]();
  async function* readChunks() {
    for (;;) {
      const { value, done } = await callStore(() => iterator.next(), { isProgressRequired: true });
      if (done) return;
      yield value;
    }
  }
  const stream = Readable.from(readChunks(), { objectMode: false });
  // An iterator that waits for a chunk does not destroy its stream.
  stream.once('close', () => source.destroy());
  return stream;
}
