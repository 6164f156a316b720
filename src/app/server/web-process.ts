// One of several processes that answer requests; the main process starts it (web-processes.ts).
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { loadConfig, projectRoot } from '#platform/server/config.ts';
import { createLog } from '#platform/server/log.ts';
import { buildContext } from './build-context.ts';
import { loadBuiltPages } from './built-pages.ts';
import { closeInReverse } from './close-in-reverse.ts';
import { jobs } from './jobs.ts';
import { DRAIN_MS, serveRequests } from './serve-requests.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import type { MessageToMain, MessageToWebProcess, WebProcessOptions } from './web-processes.ts';

const METRICS_TIMEOUT_MS = 5_000;

const sendToMain = (message: MessageToMain) => process.send?.(message);

/** The main process collects the metrics of all processes, because any of them may be asked. */
function connectMetrics(registry: Registry) {
  let lastId = 0;
  const waitingReaders = new Map<number, (text: string) => void>();
  const report = async (id: number) => sendToMain({ type: 'metrics', id, metrics: await registry.getMetricsAsJSON() });
  process.on('message', (message: MessageToWebProcess) => {
    if (message.type === 'all-metrics') waitingReaders.get(message.id)?.(message.text);
    // Without a report the main process uses the last one.
    if (message.type === 'report-metrics') report(message.id).catch(() => {});
  });
  return async () => {
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    waitingReaders.set(id, resolve);
    const timer = setTimeout(() => reject(new Error('the main process sent no metrics')), METRICS_TIMEOUT_MS);
    sendToMain({ type: 'read-all-metrics', id });
    return promise.finally(() => {
      clearTimeout(timer);
      waitingReaders.delete(id);
    });
  };
}

async function start({ databaseUrl, port, processCount }: WebProcessOptions): Promise<void> {
  const config = { ...loadConfig(), webProcesses: processCount };
  const log = createLog(config.logLevel);
  const runtime = await buildContext(config, databaseUrl, log);
  await runtime.ctx.jobs.start(jobs, runtime.ctx, { runJobs: false });
  const pages = await loadBuiltPages(join(projectRoot, 'build'));
  const { host } = config;
  const server = await serveRequests(runtime, {
    log,
    pages,
    port,
    host,
    isPortShared: true,
    drainMs: DRAIN_MS,
    connectMetrics,
  });
  let isNodeStopping = true;
  // The operating system may send the signal to all processes, and the main process sends it as well.
  const stop = stopOnSignal(() => closeInReverse([runtime.close, () => server.stop({ isNodeStopping })]), {
    ignoresRepeatedSignals: true,
  });
  process.on('message', (message: MessageToWebProcess) => {
    if (message.type !== 'end') return;
    isNodeStopping = false;
    stop();
  });
  sendToMain({ type: 'listening' });
}

process.once('message', (message: MessageToWebProcess) => {
  if (message.type !== 'start') return;
  start(message.options).catch((error: unknown) => {
    // The main process starts another.
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  });
});
