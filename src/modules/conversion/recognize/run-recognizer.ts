import type { SandboxLimits } from '#platform/server/sandbox/sandbox-task.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import { runSandboxedConverter } from '../convert/run-sandboxed-converter.ts';
import type { Workspace } from '../convert/workspace.ts';
import type { RecognitionEngine } from '../recognition-engines.ts';

const STOP_CHECK_INTERVAL_MS = 1_000;

export type RecognizerRun = {
  workspace: Workspace;
  pages: number[];
  engine: RecognitionEngine;
  limits: SandboxLimits;
  /** Priority as in the command `nice`. */
  nice: number;
  signal: AbortSignal;
  shouldStop: () => Promise<boolean>;
  /** Called for each page when its file is in the work folder; calls do not overlap. */
  onPage: (page: number) => Promise<void>;
};

/** Runs the sandboxed recognition. `failedPage`: the page at which the engine ended early; null if it ended normally. */
export async function runRecognizer(run: RecognizerRun): Promise<{ failedPage: number | null }> {
  const { workspace, pages, engine, limits, nice, signal, onPage } = run;
  let currentPage = pages[0] ?? 0;
  let isStopSent = false;
  let writes = Promise.resolve();
  const stopWatch = new AbortController();
  const end = await runSandboxedConverter({
    task: 'ocr',
    input: workspace.input,
    folder: workspace.folder,
    options: { pages, engine },
    limits,
    workload: new Workload(nice),
    signal,
    onEvent(event) {
      if (event.type === 'start') currentPage = event.page;
      if (event.type === 'recognized') writes = writes.then(() => onPage(event.page));
      // Awaited below.
      writes.catch(() => {});
    },
    connectStdin(send) {
      const timer = setInterval(async () => {
        if (isStopSent || !(await run.shouldStop())) return;
        isStopSent = true;
        send(JSON.stringify({ stop: true }));
      }, STOP_CHECK_INTERVAL_MS);
      stopWatch.signal.addEventListener('abort', () => clearInterval(timer));
    },
  }).finally(() => stopWatch.abort());
  await writes;
  signal.throwIfAborted();
  return { failedPage: end.isDone ? null : currentPage };
}
