import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Log } from '#platform/server/log.ts';
import type { ConnectMetrics } from './metrics.ts';

/** What a web process needs from the main process. */
export type WebProcessStart = { databaseUrl: string; port: number; processCount: number };
type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export type MessageToWebProcess =
  | { type: 'start'; start: WebProcessStart }
  | { type: 'report-metrics' }
  | { type: 'all-metrics'; text: string };
export type MessageToMain =
  | { type: 'listening' }
  | { type: 'metrics'; metrics: ProcessMetrics }
  | { type: 'read-all-metrics' };

const RESTART_PAUSE_MS = 1_000;
const METRICS_TIMEOUT_MS = 2_000;
const PROGRAM = join(import.meta.dirname, 'web-process.ts');

/** Waits for a message of this type; null if the process ends or takes too long. */
async function waitForMessage<T extends MessageToMain['type']>(
  child: ChildProcess,
  type: T,
  timeoutMs?: number,
): Promise<Extract<MessageToMain, { type: T }> | null> {
  const { promise, resolve } = Promise.withResolvers<Extract<MessageToMain, { type: T }> | null>();
  const onMessage = (message: MessageToMain) => {
    if (message.type === type) resolve(message as Extract<MessageToMain, { type: T }>);
  };
  const onExit = () => resolve(null);
  child.on('message', onMessage).on('exit', onExit);
  const timer = timeoutMs === undefined ? undefined : setTimeout(onExit, timeoutMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit);
  }
}

const send = (child: ChildProcess, message: MessageToWebProcess) => {
  if (child.connected) child.send(message);
};

export type WebProcesses = {
  /** Starts `count` processes, and another one for each that ends. Resolves when all listen. */
  start(count: number, start: WebProcessStart): Promise<void>;
  connectMetrics: ConnectMetrics;
  /** Resolves when all have answered their requests and ended; `start` may be called again. */
  stop(): Promise<void>;
};

/** Further processes of this node that answer requests on the port of this process. */
export function createWebProcesses(log: Log): WebProcesses {
  const children = new Set<ChildProcess>();
  let wantedCount = 0;
  let registryOfMain: Registry | null = null;

  async function readAllMetrics(): Promise<string> {
    const reports = await Promise.all(
      [...children].map(async (child) => {
        const report = waitForMessage(child, 'metrics', METRICS_TIMEOUT_MS);
        send(child, { type: 'report-metrics' });
        return (await report)?.metrics ?? [];
      }),
    );
    const mainReport = (await registryOfMain?.getMetricsAsJSON()) ?? [];
    return AggregatorRegistry.aggregate([mainReport, ...reports]).metrics();
  }

  async function startProcess(start: WebProcessStart): Promise<void> {
    const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.add(child);
    child.once('exit', (code, signal) => {
      children.delete(child);
      if (children.size < wantedCount) void restart(start, { code, signal });
    });
    child.on('message', async (message: MessageToMain) => {
      if (message.type === 'read-all-metrics') send(child, { type: 'all-metrics', text: await readAllMetrics() });
    });
    send(child, { type: 'start', start });
    await waitForMessage(child, 'listening');
  }

  async function restart(start: WebProcessStart, exit: { code: number | null; signal: string | null }): Promise<void> {
    log.error(exit, 'a web process ended, starting another');
    await sleep(RESTART_PAUSE_MS, undefined, { ref: false });
    if (children.size < wantedCount) await startProcess(start);
  }

  return {
    async start(count, start) {
      wantedCount = count;
      await Promise.all(Array.from({ length: count - children.size }, () => startProcess(start)));
    },
    connectMetrics(registry) {
      registryOfMain = registry;
      return readAllMetrics;
    },
    async stop() {
      wantedCount = 0;
      await Promise.all(
        [...children].map(async (child) => {
          const exit = once(child, 'exit');
          child.kill('SIGTERM');
          await exit;
        }),
      );
    },
  };
}
