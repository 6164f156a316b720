import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** On a busy machine connections are accepted late: no connection may be waiting when the port is closed. */
const IDLE_MS = 100;
const MAX_DRAIN_MS = 10_000;

/** Waits `minMs`, and then until no new connection or request has arrived for a moment. */
export async function drainConnections(server: Server, minMs: number): Promise<void> {
  let arrivals = 0;
  const count = () => {
    arrivals++;
  };
  server.on('connection', count).on('request', count);
  const startedAt = performance.now();
  await sleep(minMs);
  for (let before = -1; before < arrivals && performance.now() - startedAt < MAX_DRAIN_MS; ) {
    before = arrivals;
    await sleep(IDLE_MS);
  }
  server.off('connection', count).off('request', count);
}
