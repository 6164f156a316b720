import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Runtime } from './build-context.ts';
import { buildServer } from './build-server.ts';
import { drainConnections } from './drain-connections.ts';
import type { ConnectMetrics } from './metrics.ts';
import type { PageSource } from './render-page.ts';

/** A stopping server still answers for this time, until proxies notice and open connections are idle. */
export const DRAIN_MS = 1_000;

type ServeOptions = {
  log: Logger;
  pages: PageSource;
  port: number;
  host: string;
  /** Whether other processes listen on the same port. */
  isPortShared: boolean;
  /** A stopping server still answers for this time. */
  drainMs: number;
  connectMetrics: ConnectMetrics;
};

/** Time in which clients with open connections connect again, and possibly to another process. */
const RECONNECT_MS = 1_000;

/** Starts the server of this process. `stop` answers the requests that have arrived before it resolves. */
export async function serveRequests({ ctx, pool }: Pick<Runtime, 'ctx' | 'pool'>, options: ServeOptions) {
  const { log, pages, port, host, isPortShared, drainMs, connectMetrics } = options;
  let isServerDraining = false;
  let closesConnections = false;
  const app = await buildServer(ctx, pool, {
    log,
    pages,
    isDraining: () => isServerDraining,
    closesConnections: () => closesConnections,
    connectMetrics,
  });
  /** If other processes of the node go on, the node stays ready, and clients only connect again. */
  const stop = async ({ isNodeStopping = true } = {}) => {
    isServerDraining = isNodeStopping;
    closesConnections = true;
    if (app.server.listening) await drainConnections(app.server, drainMs);
    await app.close();
  };
  try {
    await app.listen({ port, host, ...(isPortShared && { reusePort: true }) });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    port: (app.server.address() as AddressInfo).port,
    /** Distributes the open connections over the processes that listen now. */
    closeConnections() {
      closesConnections = true;
      setTimeout(() => {
        closesConnections = false;
      }, RECONNECT_MS).unref();
    },
  };
}
