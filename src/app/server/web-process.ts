// One of several processes that answer requests; the main process starts it (web-processes.ts).
import { once } from 'node:events';
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
import type { MessageToMain, MessageToWebProcess, WebProcessStart } from './web-processes.ts';

const sendToMain = (message: MessageToMain) => process.send?.(message);

async function waitForMainMessage<T extends MessageToWebProcess['type']>(type: T) {
  for (;;) {
    const [message] = (await once(process, 'message')) as [MessageToWebProcess];
    if (message.type === type) return message as Extract<MessageToWebProcess, { type: T }>;
  }
}

/** The main process collects the metrics of all processes, because any of them may be asked. */
function connectMetrics(registry: Registry) {
  process.on('message', async (message: MessageToWebProcess) => {
    if (message.type === 'report-metrics') sendToMain({ type: 'metrics', metrics: await registry.getMetricsAsJSON() });
  });
  return async () => {
    const answer = waitForMainMessage('all-metrics');
    sendToMain({ type: 'read-all-metrics' });
    return (await answer).text;
  };
}

async function start({ databaseUrl, port, processCount }: WebProcessStart): Promise<void> {
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
  stopOnSignal(() => closeInReverse([runtime.close, server.stop]));
  sendToMain({ type: 'listening' });
}

// A failed start ends the process, and the main process starts another.
await start((await waitForMainMessage('start')).start);
