import type { Agent as HttpAgent } from 'node:http';
import type { Socket } from 'node:net';
import { StoreUnresponsiveError } from '../hang-detector.ts';

const TICK_MS = 500;
/** A server that accepts no byte for this many ticks has stalled. A late tick counts once: this process was busy. */
const MAX_STALLED_TICKS = 6;

/** Bytes that the operating system has not accepted yet. Node reads the same field for its socket timeout. */
const queuedBytes = (socket: Socket) =>
  (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0;

function watch(socket: Socket): void {
  let lastQueuedBytes = 0;
  let stalledTicks = 0;
  const timer = setInterval(() => {
    const bytes = queuedBytes(socket);
    stalledTicks = bytes > 0 && bytes === lastQueuedBytes ? stalledTicks + 1 : 0;
    lastQueuedBytes = bytes;
    if (stalledTicks >= MAX_STALLED_TICKS) socket.destroy(new StoreUnresponsiveError('s3'));
  }, TICK_MS);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}

/** Fails the requests of an agent whose body the server stops accepting. The wait for an answer is not limited. */
export function failStalledWrites<A extends HttpAgent>(agent: A): A {
  const createConnection = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const connection = createConnection(options, callback);
    if (connection) watch(connection as Socket);
    return connection;
  };
  return agent;
}
