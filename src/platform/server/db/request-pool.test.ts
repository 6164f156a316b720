import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { probeDatabase } from './request-pool.ts';

const accepted: Socket[] = [];
/** Takes connections and never answers, nor closes them, as a process that was stopped. */
const hungServer = createServer({ allowHalfOpen: true }, (socket) => {
  accepted.push(socket.on('error', () => {}).resume());
});
hungServer.listen(0, '127.0.0.1');
await once(hungServer, 'listening');
afterAll(() => {
  for (const socket of accepted) socket.destroy();
  hungServer.close();
});

const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test('an aborted probe of a database that hangs leaves no open socket behind', async () => {
  const { port } = hungServer.address() as AddressInfo;
  const before = openSockets();
  const limit = new AbortController();
  const probe = probeDatabase(`postgres://douku@127.0.0.1:${port}/douku`)(limit.signal);
  const outcome = probe.then(
    () => 'answered',
    () => 'failed',
  );
  await expect.poll(() => accepted.length).toBe(1);
  expect(openSockets()).toBe(before + 2);
  limit.abort();
  // The server keeps its side of the connection.
  await expect.poll(openSockets).toBe(before + 1);
  expect(await outcome).toBe('failed');
});
