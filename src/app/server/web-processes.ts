import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#platform/server/log.ts';
import type { ConnectMetrics } from './metrics.ts';
import { createProcessMetrics, type MetricsSource, type ProcessMetrics } from './process-metrics.ts';

export type WebProcessOptions = { databaseUrl: string; port: number; processCount: number };

export type MessageToWebProcess =
  | { type: 'start'; options: WebProcessOptions }
  /** Other processes of the node go on. */
  | { type: 'end' }
  | { type: 'report-metrics'; id: number }
  | { type: 'all-metrics'; id: number; text: string };
export type MessageToMain =
  | { type: 'listening' }
  | { type: 'metrics'; id: number; metrics: ProcessMetrics }
  | { type: 'read-all-metrics'; id: number };

/** The pause before a process that ended is started again; doubled for each that ends before it listens. */
const RESTART_PAUSE_MS = 1_000;
const MAX_RESTART_PAUSE_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const PROGRAM = join(import.meta.dirname, 'web-process.ts');

type StopReason = 'scaling in' | 'node stops';

export type WebProcesses = {
  /** Starts `count` processes, and another one for each that ends. Resolves when all listen or have ended. */
  start(count: number, options: WebProcessOptions): Promise<void>;
  connectMetrics: ConnectMetrics;
  /** Resolves when all have answered their requests and ended; `start` may be called again. */
  stop(reason: StopReason): Promise<void>;
};

type WebProcess = MetricsSource & {
  child: ChildProcess;
  send: (message: MessageToWebProcess) => void;
  isListening: boolean;
};

function forkWebProcess(): WebProcess {
  // In its own process group, so that a signal of the terminal arrives only through this process.
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
  const send = (message: MessageToWebProcess) => {
    // The process may end at any moment; its exit is handled elsewhere.
    if (child.connected) child.send(message, () => {});
  };
  const requestMetrics = (id: number) => send({ type: 'report-metrics', id });
  return { child, send, requestMetrics, isListening: false, lastMetrics: [] };
}

/** Resolves when the process has ended; it is killed if it takes too long. */
async function endWebProcess({ child, send, isListening }: WebProcess, reason: StopReason): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  if (reason === 'scaling in' && isListening) send({ type: 'end' });
  else child.kill('SIGTERM');
  await exit;
  clearTimeout(timer);
}

export function createWebProcesses(log: Log): WebProcesses {
  const webProcesses = new Set<WebProcess>();
  const metrics = createProcessMetrics(webProcesses);
  let wantedCount = 0;
  let failedStarts = 0;

  async function answerMessage({ send }: WebProcess, message: MessageToMain): Promise<void> {
    if (message.type === 'metrics') metrics.receive(message.id, message.metrics);
    if (message.type === 'read-all-metrics')
      send({ type: 'all-metrics', id: message.id, text: await metrics.readAll() });
  }

  async function startProcess(options: WebProcessOptions): Promise<void> {
    const webProcess = forkWebProcess();
    webProcesses.add(webProcess);
    const { promise: listeningOrEnded, resolve } = Promise.withResolvers<void>();
    const handleEnd = async (reason: unknown) => {
      if (!webProcesses.delete(webProcess)) return;
      resolve();
      failedStarts = webProcess.isListening ? 0 : failedStarts + 1;
      await metrics.addEnded(webProcess);
      if (webProcesses.size < wantedCount) await restart(options, reason);
    };
    const logError = (error: unknown) => log.error({ err: error }, 'an event of a web process could not be handled');
    webProcess.child.once('error', (error) => handleEnd(error).catch(logError));
    webProcess.child.once('exit', (code, signal) => handleEnd({ code, signal }).catch(logError));
    webProcess.child.on('message', (message: MessageToMain) => {
      if (message.type === 'listening') {
        webProcess.isListening = true;
        resolve();
      } else answerMessage(webProcess, message).catch(logError);
    });
    webProcess.send({ type: 'start', options });
    await listeningOrEnded;
  }

  async function restart(options: WebProcessOptions, reason: unknown): Promise<void> {
    log.error({ reason }, 'a web process ended, starting another');
    const pauseMs = Math.min(MAX_RESTART_PAUSE_MS, RESTART_PAUSE_MS * 2 ** failedStarts);
    await sleep(pauseMs, undefined, { ref: false });
    if (webProcesses.size < wantedCount) await startProcess(options);
  }

  return {
    async start(count, options) {
      wantedCount = count;
      failedStarts = 0;
      await Promise.all(Array.from({ length: count - webProcesses.size }, () => startProcess(options)));
    },
    connectMetrics: metrics.connect,
    async stop(reason) {
      wantedCount = 0;
      await Promise.all(
        [...webProcesses].map(async (webProcess) => {
          await metrics.read(webProcess);
          await endWebProcess(webProcess, reason);
        }),
      );
    },
  };
}
