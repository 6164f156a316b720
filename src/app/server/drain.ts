import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** On a busy machine connections are accepted late: none may wait when the port is closed. */
const QUIET_MS = 100;
const LIMIT_MS = 10_000;

/** Resolves after this time as soon as no connection or request has come in for a moment. */
export async function drain(server: Server, ms: number): Promise<void> {
  let arrivals = 0;
  const count = () => {
    arrivals++;
  };
  server.on('connection', count).on('request', count);
  const startedAt = performance.now();
  await sleep(ms);
  for (let before = -1; before < arrivals && performance.now() - startedAt < LIMIT_MS; ) {
    before = arrivals;
    await sleep(QUIET_MS);
  }
  server.off('connection', count).off('request', count);
}
