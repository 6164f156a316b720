import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createHangDetector, StoreUnresponsiveError } from '../hang-detector.ts';
import { createLog } from '../log.ts';
import { localFileStorage } from './local-file-storage.ts';
import type { StoredObject } from './storage-interface.ts';
import { storageWithHangDetection } from './storage-with-hang-detection.ts';

test('storageWithHangDetection closes an object that arrives after its call was aborted', async () => {
  const log = createLog('fatal');
  const answer = Promise.withResolvers<StoredObject>();
  const storage = { ...localFileStorage(tmpdir()), get: () => answer.promise };
  const probe = () => new Promise<never>(() => {});
  const detector = createHangDetector({ store: 's3', probe, log });
  await expect(storageWithHangDetection(storage, detector.call).get('key')).rejects.toBeInstanceOf(
    StoreUnresponsiveError,
  );
  detector.stop();
  const stream = Readable.from(['late']);
  answer.resolve({ stream, size: 4, contentType: 'text/plain' });
  await expect.poll(() => stream.destroyed).toBe(true);
});
