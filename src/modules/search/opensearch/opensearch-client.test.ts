import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { requestCluster } from './opensearch-client.ts';

let requestCount = 0;
let isAnswering = true;
const usedConnections = new Set<Socket>();
/** Closes a connection when the second request arrives on it, as a server does whose time limit for idle connections ends. */
const cluster = createServer((request, response) => {
  requestCount += 1;
  if (!isAnswering || usedConnections.has(request.socket)) return request.socket.destroy();
  usedConnections.add(request.socket);
  return response.end('{}');
});
await new Promise<void>((resolve) => cluster.listen(0, '127.0.0.1', resolve));
afterAll(() => cluster.close());
const { port } = cluster.address() as AddressInfo;
const { ctx } = await testApp({ env: { SEARCH_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'fatal' } });

test('a request to the search cluster on a connection that the cluster closes is repeated on a new connection', async () => {
  for (let calls = 0; requestCount === calls; calls += 1) {
    expect((await requestCluster(ctx, 'POST', 'douku/_search', {})).status).toBe(200);
    // The connection can be used again in a later iteration of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(requestCount).toBe(usedConnections.size + 1);
});

test('a search cluster that closes every connection is unavailable after two requests', async () => {
  isAnswering = false;
  const countBefore = requestCount;
  await expect(requestCluster(ctx, 'GET', 'douku/_settings')).rejects.toMatchObject({ code: 'search.unavailable' });
  expect(requestCount - countBefore).toBe(2);
});
