import { availableParallelism } from 'node:os';
import type { Context } from '#platform/server/context.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { type Lease, pipelineVersion } from '../rendition.ts';
import type { ConverterEvent } from '../sandboxed/events.ts';
import type { ConversionTask } from './attempt.ts';
import { PermanentConversionError } from './conversion-errors.ts';
import { createConverterOutputStore } from './converter-output-store.ts';
import { drawSubstitute } from './draw-substitute.ts';
import { nextStepAfter, type RenderRun } from './render-outcome.ts';
import { trackRenderProgress } from './render-progress.ts';
import { createRendererCommandSender } from './renderer-commands.ts';
import { runSandboxedConverter, workFile } from './run-sandboxed-converter.ts';

/** Pages drawn before the text is extracted. */
const FIRST_PAGES = 3;
/** Encoding one page takes about 100 MB. */
const MAX_PARALLEL_PAGES = 4;
const slideFormats: readonly FileFormat[] = ['ppt', 'pptx', 'odp', 'fodp'];

type PdfSource = {
  /** Path of the file, or its name within the work folder while LibreOffice still writes it. */
  pdf: string;
  pdfReady?: Promise<unknown>;
  /** Also aborts when LibreOffice fails. */
  signal?: AbortSignal;
};

/** The state that the runs of the renderer on one document share. */
type Rendering = ReturnType<typeof startRendering>;

function startRendering(ctx: Context, lease: Lease, task: ConversionTask, source: PdfSource) {
  const { rendition } = lease;
  const { folder } = task.workspace;
  const { signal = task.signal, pdfReady } = source;
  const version = pipelineVersion(rendition.format);
  return {
    ctx,
    lease,
    task,
    signal,
    pdf: pdfReady ? workFile(folder, source.pdf) : source.pdf,
    pendingPdf: pdfReady ? { file: source.pdf, ready: pdfReady } : null,
    store: createConverterOutputStore(ctx, { ...rendition, version }, folder, signal),
    progress: trackRenderProgress(ctx, lease, task),
    hasText: rendition.text_size > 0 && rendition.version === version,
    parallel: Math.min(MAX_PARALLEL_PAGES, Math.max(2, availableParallelism())),
    skippedPages: new Set(rendition.skip_pages),
  };
}

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
  const rendering = startRendering(ctx, lease, task, source);
  const { progress } = rendering;
  await drawPagesSkippedEarlier(rendering);
  for (let isFinished = false; !isFinished; ) {
    const run = await runRenderer(rendering);
    const step = nextStepAfter(run);
    if (step.action === 'finish') isFinished = true;
    else if (step.action === 'fail') throw step.error(run);
    else if (step.action === 'waitForPdf') await source.pdfReady;
    else if (step.action === 'drawOnePageAtATime') rendering.parallel = 1;
    else await skipPage(rendering, run.currentPage);
  }
  if (progress.allBroken()) throw new PermanentConversionError('文档已损坏，没有可以显示的页面');
  if (task.isStopRequested && progress.countReadyPages() < progress.pages()) return false;
  await progress.finish();
  return true;
}

async function drawPagesSkippedEarlier(rendering: Rendering): Promise<void> {
  const { task, signal, pdf, progress, skippedPages } = rendering;
  const pages = [...skippedPages].filter((page) => page > progress.countReadyPages());
  if (pages.length === 0) return;
  await rendering.pendingPdf?.ready;
  rendering.pendingPdf = null;
  for (const page of pages) await drawSubstitute(task, signal, pdf, page);
}

async function skipPage({ lease, task, signal, pdf, skippedPages }: Rendering, page: number): Promise<void> {
  skippedPages.add(page);
  await lease.change({ skip_pages: [...skippedPages] });
  await drawSubstitute(task, signal, pdf, page);
}

/** Runs the renderer once, from the first page that is not stored. */
async function runRenderer(rendering: Rendering): Promise<RenderRun> {
  const { ctx, lease, task, signal, pdf, pendingPdf, store, progress, skippedPages, parallel } = rendering;
  let currentPage = 0;
  const commands = createRendererCommandSender(ctx, lease, task, progress);
  const end = await runSandboxedConverter({
    task: 'pdf',
    input: pendingPdf ? { pendingFile: pendingPdf.file } : pdf,
    folder: task.workspace.folder,
    options: {
      wait: pendingPdf !== null,
      from: progress.countReadyPages() + 1,
      first: FIRST_PAGES,
      text: !rendering.hasText,
      isSlides: slideFormats.includes(lease.rendition.format),
      skip: [...skippedPages],
      parallel,
    },
    limits: task.limits.render,
    workload: task.workload,
    signal,
    onEvent(event) {
      if (event.type === 'start') currentPage = event.page;
      else storeOutput(rendering, event);
    },
    connectStdin: (send) => commands.start(send, pendingPdf?.ready),
  }).finally(commands.stop);
  rendering.pendingPdf = null;
  await store.settle();
  await progress.write();
  return { end, currentPage, isPdfPending: pendingPdf !== null, parallel, skippedPages, signal };
}

function storeOutput(rendering: Rendering, event: ConverterEvent): void {
  const { store, progress } = rendering;
  if (event.type === 'broken') progress.broken(event.page);
  else if (event.type === 'opened') {
    progress.opened(event);
    // With the text, complete metadata is stored already.
    if (!rendering.hasText) store.meta();
  } else if (event.type === 'cover') store.cover();
  else if (event.type === 'page') store.page(event.page, () => progress.stored(event.page));
  else if (event.type === 'text') {
    rendering.hasText = true;
    store.text(() => progress.describe());
  }
}
