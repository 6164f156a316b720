import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createHangDetector, StoreUnresponsiveError } from '../hang-detector.ts';
import { createLog } from '../log.ts';
import { startRunningTimer } from '../running-timer.fixture.ts';
import { s3Storage } from './s3-storage.ts';
import { parseStorageUrl } from './storage-url.ts';
import { storageWithHangDetection } from './storage-with-hang-detection.ts';

const LIMIT_MS = 5_000;
const HALF = 100_000;

/** Sends half of every object, reads the beginning of every upload, and answers all other calls. */
function answerHalf(request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-length': 2 * HALF });
    response.write(Buffer.alloc(HALF, 'a'));
  } else if (request.method === 'PUT') request.once('data', () => request.pause());
  else response.writeHead(200).end();
}
const server = createServer(answerHalf);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const location = parseStorageUrl(`s3://key:secret@127.0.0.1:${port}/bucket?ssl=false&path_style=true`);
if (!location) throw new Error('not an S3 URL');
const detector = createHangDetector({
  store: 's3',
  probe: () => fetch(`http://127.0.0.1:${port}/bucket`, { method: 'HEAD' }),
  log: createLog('fatal'),
});
const storage = storageWithHangDetection(s3Storage(location), detector.call);
afterAll(() => {
  detector.stop();
  server.closeAllConnections();
  server.close();
});

async function expectUnresponsiveInTime(call: Promise<unknown>) {
  const elapsedMs = startRunningTimer();
  await expect(call).rejects.toBeInstanceOf(StoreUnresponsiveError);
  expect(elapsedMs()).toBeLessThan(LIMIT_MS);
}

test('a stored object fails within 5 s after S3 stopped sending it, and its connection is closed', async () => {
  const object = await storage.get('key');
  await expectUnresponsiveInTime(buffer(object.stream));
  await expectUnresponsiveInTime(storage.read('key'));
  const countConnections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  await expect.poll(async () => (await countConnections()) < 3).toBe(true);
});

test('an object stays open while its reader pauses', async () => {
  const { stream } = await storage.get('key');
  await once(stream, 'readable');
  expect(stream.read(1_000)).toHaveLength(1_000);
  await sleep(LIMIT_MS);
  expect(stream.errored).toBeNull();
  expect(stream.read(1_000)).toHaveLength(1_000);
  stream.destroy();
});

test('an upload fails within 5 s after S3 stopped accepting it', async () => {
  const chunks = Array.from({ length: 40 }, () => Buffer.alloc(1024 * 1024, 'a'));
  const body = Readable.from(chunks).pipe(new PassThrough());
  await expectUnresponsiveInTime(storage.put('key', body));
  expect(body.destroyed).toBe(true);
  await expectUnresponsiveInTime(storage.put('key', Buffer.concat(chunks)));
});
