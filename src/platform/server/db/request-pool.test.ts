import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { probeDatabase } from './request-pool.ts';

const acceptedSockets: Socket[] = [];
/** Accepts connections and never answers or closes them, as a process that received SIGSTOP. */
const hungServer = createServer({ allowHalfOpen: true }, (socket) => {
  acceptedSockets.push(socket.on('error', () => {}).resume());
});
hungServer.listen(0, '127.0.0.1');
await once(hungServer, 'listening');
afterAll(() => {
  for (const socket of acceptedSockets) socket.destroy();
  hungServer.close();
});

const countOpenSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test('an aborted probe of a database that hangs leaves no open socket behind', async () => {
  const { port } = hungServer.address() as AddressInfo;
  const before = countOpenSockets();
  const limit = new AbortController();
  const probe = probeDatabase(`postgres://douku@127.0.0.1:${port}/douku`)(limit.signal);
  const outcome = probe.then(
    () => 'answered',
    () => 'failed',
  );
  await expect.poll(() => acceptedSockets.length).toBe(1);
  expect(countOpenSockets()).toBe(before + 2);
  limit.abort();
  // The server side of the connection stays open.
  await expect.poll(countOpenSockets).toBe(before + 1);
  expect(await outcome).toBe('failed');
});
