import type { SandboxResult } from '#platform/server/sandbox/sandbox-task.ts';
import { ConversionTimeout, PermanentConversionError } from './conversion-errors.ts';

/** Exit code for a program that was ended by SIGKILL. */
const SIGKILL_EXIT_CODE = 137;
/** A document with more pages that crash the renderer fails. */
const MAX_BROKEN_PAGES = 20;

/** One run of the renderer, after it ended. */
export type RenderRun = {
  end: SandboxResult & { isDone: boolean };
  /** The page that was being drawn at the end; 0 before the first page. */
  currentPage: number;
  /** LibreOffice still wrote the PDF when the run started. */
  isPdfPending: boolean;
  /** Number of pages drawn at the same time. */
  parallel: number;
  /** Pages that the run did not draw. */
  skippedPages: ReadonlySet<number>;
  signal: AbortSignal;
};

type NextStep =
  | { action: 'finish' | 'waitForPdf' | 'drawOnePageAtATime' | 'skipPage' }
  | { action: 'fail'; error: (run: RenderRun) => unknown };

const fail = (error: (run: RenderRun) => unknown): NextStep => ({ action: 'fail', error });
const failPermanently = (message: (run: RenderRun) => string): NextStep =>
  fail((run) => new PermanentConversionError(message(run)));

/** What each outcome of a run means for the conversion. */
const nextSteps = {
  done: { action: 'finish' },
  aborted: fail(({ signal }) => signal.reason),
  endedBeforePdf: { action: 'waitForPdf' },
  outOfProcessorTime: fail(({ skippedPages }) => new ConversionTimeout([...skippedPages])),
  /** Several pages together took too much memory. */
  parallelPagesOutOfMemory: { action: 'drawOnePageAtATime' },
  hungBeforeFirstPage: fail(() => new ConversionTimeout()),
  outOfMemoryBeforeFirstPage: failPermanently(() => '文档过大或过于复杂，无法转换'),
  engineCrashedBeforeFirstPage: failPermanently(() => '文档已损坏，无法打开'),
  /** The document is not at fault. */
  failedBeforeFirstPage: fail(
    ({ end: { code, stderrTail } }) => new Error(`the renderer ended with ${code}: ${stderrTail}`),
  ),
  crashedOnSkippedPage: failPermanently(({ currentPage }) => `第 ${currentPage} 页无法显示，转换不能继续`),
  tooManyBrokenPages: failPermanently(() => '文档中无法显示的页面过多'),
  crashedOnPage: { action: 'skipPage' },
} satisfies Record<string, NextStep>;

export type RenderOutcome = keyof typeof nextSteps;

export const nextStepAfter = (run: RenderRun): NextStep => nextSteps[classifyRenderRun(run)];

export function classifyRenderRun(run: RenderRun): RenderOutcome {
  const { end, currentPage, isPdfPending, parallel, skippedPages } = run;
  if (end.isDone) return 'done';
  if (end.killedBy === 'abort') return 'aborted';
  if (currentPage === 0 && isPdfPending) return 'endedBeforePdf';
  const cause = killCause(end);
  if (cause === 'cpu') return 'outOfProcessorTime';
  if (cause === 'memory' && parallel > 1) return 'parallelPagesOutOfMemory';
  if (currentPage === 0) return classifyEndBeforeFirstPage(end, cause);
  if (skippedPages.has(currentPage)) return 'crashedOnSkippedPage';
  return skippedPages.size >= MAX_BROKEN_PAGES ? 'tooManyBrokenPages' : 'crashedOnPage';
}

/** The kernel kills a process with SIGKILL when memory runs out. */
const killCause = ({ killedBy, code }: SandboxResult): SandboxResult['killedBy'] =>
  killedBy === null && (code === null || code === SIGKILL_EXIT_CODE) ? 'memory' : killedBy;

function classifyEndBeforeFirstPage(end: SandboxResult, cause: SandboxResult['killedBy']): RenderOutcome {
  if (cause === 'stall' || cause === 'idle') return 'hungBeforeFirstPage';
  if (cause === 'memory') return 'outOfMemoryBeforeFirstPage';
  return /RuntimeError|RangeError|Aborted/.test(end.stderrTail)
    ? 'engineCrashedBeforeFirstPage'
    : 'failedBeforeFirstPage';
}
