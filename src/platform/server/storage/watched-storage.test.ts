import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { createStoreWatch, StoreUnresponsive } from '../store-watch.ts';
import type { StoredObject } from './driver.ts';
import { localStorage } from './local.ts';
import { watchedStorage } from './watched-storage.ts';

test('an object that arrives after its call was given up is closed', async () => {
  const log = createLog('fatal');
  const answer = Promise.withResolvers<StoredObject>();
  const storage = { ...localStorage(tmpdir()), get: () => answer.promise };
  const probe = () => new Promise<never>(() => {});
  const watch = createStoreWatch({ store: 's3', probe, log });
  await expect(watchedStorage(storage, watch.call).get('key')).rejects.toBeInstanceOf(StoreUnresponsive);
  watch.stop();
  const stream = Readable.from(['late']);
  answer.resolve({ stream, size: 4, contentType: 'text/plain' });
  await expect.poll(() => stream.destroyed).toBe(true);
});
