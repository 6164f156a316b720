import { availableParallelism } from 'node:os';
import type { Context } from '#platform/server/context.ts';
import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import type { SandboxResult } from '#platform/server/sandbox/sandbox-task.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { dequeuePageRenderRequests } from '../page-render-requests.ts';
import { type Lease, LeaseLost, pipelineVersion } from '../rendition.ts';
import type { ConverterEvent } from '../sandboxed/events.ts';
import type { ConversionTask } from './attempt.ts';
import { ConversionTimeout, PermanentConversionError } from './conversion-errors.ts';
import { createConverterOutputStore } from './converter-output-store.ts';
import { trackRenderProgress } from './render-progress.ts';
import { runSandboxedConverter, workFile } from './run-sandboxed-converter.ts';
import { rejectLinkedInput } from './sandbox-output-file.ts';

/** Pages drawn before the text is extracted. */
const FIRST_PAGES = 3;
const COMMAND_INTERVAL_MS = 1_000;
/** Encoding one page takes about 100 MB. */
const MAX_PARALLEL_PAGES = 4;
/** Exit code for a program that was ended by SIGKILL. */
const SIGKILL_EXIT_CODE = 137;
/** A document with more pages that crash the renderer fails. */
const MAX_BROKEN_PAGES = 20;
const slideFormats: readonly FileFormat[] = ['ppt', 'pptx', 'odp'];

type PdfSource = {
  /** Path of the file, or its name within the work folder while LibreOffice still writes it. */
  pdf: string;
  pdfReady?: Promise<unknown>;
  /** Also aborts when LibreOffice fails. */
  signal?: AbortSignal;
};

/**
 * Draws the pages of a PDF and stores each when it is drawn: the first pages, then the rest while the text is
 * extracted. Returns true when all are stored, false when the dispatcher requested a stop.
 */
export async function renderPages(
  ctx: Context,
  lease: Lease,
  task: ConversionTask,
  source: PdfSource,
): Promise<boolean> {
  const { folder } = task.workspace;
  const { signal = task.signal } = source;
  let { pdfReady } = source;
  const pdf = pdfReady ? workFile(folder, source.pdf) : source.pdf;
  const skip = new Set(lease.rendition.skip_pages);
  const version = pipelineVersion(lease.rendition.format);
  const store = createConverterOutputStore(ctx, { ...lease.rendition, version }, folder, signal);
  const progress = trackRenderProgress(ctx, lease, task);
  let hasText = lease.rendition.text_size > 0 && lease.rendition.version === version;
  let parallel = Math.min(MAX_PARALLEL_PAGES, Math.max(2, availableParallelism()));
  const undrawablePages = lease.rendition.skip_pages.filter((page) => page > progress.ready());
  if (undrawablePages.length > 0) {
    await pdfReady;
    pdfReady = undefined;
    for (const page of undrawablePages) await drawSubstitute(task, signal, pdf, page);
  }
  for (;;) {
    let currentPage = 0;
    const onEvent = (event: ConverterEvent) => {
      if (event.type === 'start') currentPage = event.page;
      else if (event.type === 'broken') progress.broken(event.page);
      else if (event.type === 'opened') {
        progress.opened(event);
        // With the text, complete metadata is stored already.
        if (!hasText) store.meta();
      } else if (event.type === 'cover') store.cover();
      else if (event.type === 'page') store.page(event.page, () => progress.stored(event.page));
      else if (event.type === 'text') {
        hasText = true;
        store.text(() => progress.describe());
      }
    };
    const isPdfPending = pdfReady !== undefined;
    const commands = createRendererCommandSender(ctx, lease, task, progress);
    const end = await runSandboxedConverter({
      task: 'pdf',
      input: isPdfPending ? { pendingFile: source.pdf } : pdf,
      folder,
      options: {
        wait: isPdfPending,
        from: progress.ready() + 1,
        first: FIRST_PAGES,
        text: !hasText,
        isSlides: slideFormats.includes(lease.rendition.format),
        skip: [...skip],
        parallel,
      },
      limits: task.limits.render,
      workload: task.workload,
      signal,
      onEvent,
      connectStdin: (send) => commands.start(send, pdfReady),
    }).finally(commands.stop);
    pdfReady = undefined;
    await store.settle();
    await progress.write();
    if (end.isDone) break;
    if (end.killedBy === 'abort') throw signal.reason;
    if (currentPage === 0 && isPdfPending) {
      await source.pdfReady;
      continue;
    }
    const cause = killCause(end);
    if (cause === 'cpu') throw new ConversionTimeout([...skip]);
    // Several pages together took too much memory; retries one page at a time.
    if (cause === 'memory' && parallel > 1) {
      parallel = 1;
      continue;
    }
    if (currentPage === 0) throw errorBeforeFirstPage(end, cause);
    // The page was skipped and the renderer still crashes on it.
    if (skip.has(currentPage)) throw new PermanentConversionError(`第 ${currentPage} 页无法显示，转换不能继续`);
    skip.add(currentPage);
    if (skip.size > MAX_BROKEN_PAGES) throw new PermanentConversionError('文档中无法显示的页面过多');
    await lease.change({ skip_pages: [...skip] });
    await drawSubstitute(task, signal, pdf, currentPage);
  }
  if (progress.allBroken()) throw new PermanentConversionError('文档已损坏，没有可以显示的页面');
  if (task.isStopRequested && progress.ready() < progress.pages()) return false;
  await progress.finish();
  return true;
}

/** While the renderer runs, forwards pages that readers requested, writes progress, and tells it to stop. */
function createRendererCommandSender(
  ctx: Context,
  lease: Lease,
  task: ConversionTask,
  progress: ReturnType<typeof trackRenderProgress>,
) {
  let isStopSent = false;
  let watch: NodeJS.Timeout | undefined;
  return {
    start(send: (line: string) => void, pdfReady: Promise<unknown> | undefined) {
      // If LibreOffice fails, the signal ends the renderer.
      pdfReady?.then(
        () => send(JSON.stringify({ inputReady: true })),
        () => {},
      );
      const checkRequests = async () => {
        const pages = await dequeuePageRenderRequests(ctx, lease.rendition.id);
        if (pages.length > 0) send(JSON.stringify({ requestedPages: pages }));
        await progress.write();
        if (!task.isStopRequested || isStopSent) return;
        isStopSent = true;
        send(JSON.stringify({ stop: true }));
      };
      watch = setInterval(() => {
        checkRequests().catch((error: unknown) => {
          // Another worker has the lease; this attempt is being aborted.
          if (!(error instanceof LeaseLost)) ctx.log.warn({ err: error }, 'could not write conversion progress');
        });
      }, COMMAND_INTERVAL_MS);
    },
    stop: () => clearInterval(watch),
  };
}

/** The kernel kills a process with SIGKILL when memory runs out. */
const killCause = ({ killedBy, code }: SandboxResult): SandboxResult['killedBy'] =>
  killedBy === null && (code === null || code === SIGKILL_EXIT_CODE) ? 'memory' : killedBy;

/** The renderer ended before its first page. The document is at fault only if the engine crashed. */
function errorBeforeFirstPage({ stderrTail: errors, code }: SandboxResult, cause: SandboxResult['killedBy']): Error {
  if (cause === 'stall' || cause === 'idle') return new ConversionTimeout();
  if (cause === 'memory') return new PermanentConversionError('文档过大或过于复杂，无法转换');
  if (/RuntimeError|RangeError|Aborted/.test(errors)) return new PermanentConversionError('文档已损坏，无法打开');
  return new Error(`the renderer ended with ${code}: ${errors}`);
}

/** Draws the page with another program; the renderer uses the image. */
async function drawSubstitute(
  { workspace: { folder }, limits, workload }: ConversionTask,
  signal: AbortSignal,
  pdf: string,
  page: number,
): Promise<void> {
  const program = await findProgram('pdftoppm');
  if (!program || !(await isSandboxAvailable())) return;
  await rejectLinkedInput(folder, pdf);
  await runIsolatedProgram({
    command: program,
    args: [
      ...['-f', String(page), '-l', String(page), '-singlefile', '-png'],
      ...['-scale-to', '1600', '/in.pdf', `/work/substitute-${page}`],
    ],
    workFolder: folder,
    readOnlyMounts: [{ from: pdf, to: '/in.pdf' }],
    limits: limits.substitute,
    workload,
    signal,
  });
}
