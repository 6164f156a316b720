import { availableParallelism } from 'node:os';
import type { Context } from '#platform/server/context.ts';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { runIsolated } from '#platform/server/sandbox/sandbox.ts';
import type { SandboxEnd } from '#platform/server/sandbox/task.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { takePageRenderRequests } from '../page-render-requests.ts';
import { type Lease, LeaseTaken, pipelineVersion } from '../rendition.ts';
import type { ConverterEvent } from '../sandboxed/events.ts';
import type { ConversionTask } from './attempt.ts';
import { ConversionTimeout, PermanentConversionError } from './conversion-errors.ts';
import { checkInput } from './output-file.ts';
import { renderProgress } from './render-progress.ts';
import { runSandboxed, workFile } from './run-sandboxed.ts';
import { pageStore } from './store-pages.ts';

/** Pages drawn before the text is read. */
const FIRST_PAGES = 3;
const WATCH_MS = 1_000;
/** Encoding a page takes about 100 MB. */
const MAX_PARALLEL = 4;
/** What a shell reports of a program that was ended by SIGKILL. */
const KILLED_CODE = 137;
/** A document with more pages that end the renderer is given up. */
const MAX_BROKEN_PAGES = 20;
const SLIDES: readonly FileFormat[] = ['ppt', 'pptx', 'odp'];

type Source = {
  /** A file; or its name within the work folder while LibreOffice still makes it. */
  pdf: string;
  coming?: Promise<unknown>;
  /** Also aborts when LibreOffice fails. */
  signal?: AbortSignal;
};

/**
 * Draws the pages of a PDF and stores them as they come: the first ones immediately, then the rest
 * beside the text. True when all are stored, false when it stopped because the dispatcher asked.
 */
export async function renderPages(ctx: Context, lease: Lease, task: ConversionTask, source: Source): Promise<boolean> {
  const { folder } = task.workspace;
  const { signal = task.signal } = source;
  let { coming } = source;
  const pdf = coming ? workFile(folder, source.pdf) : source.pdf;
  const skip = new Set(lease.content.skip_pages);
  const version = pipelineVersion(lease.content.format);
  const store = pageStore(ctx, { ...lease.content, version }, folder, signal);
  const progress = renderProgress(ctx, lease, task);
  let hasText = lease.content.text_size > 0 && lease.content.version === version;
  let parallel = Math.min(MAX_PARALLEL, Math.max(2, availableParallelism()));
  const undrawable = lease.content.skip_pages.filter((page) => page > progress.ready());
  if (undrawable.length > 0) {
    await coming;
    coming = undefined;
    for (const page of undrawable) await drawSubstitute(task, signal, pdf, page);
  }
  for (;;) {
    let current = 0;
    const onEvent = (event: ConverterEvent) => {
      if (event.type === 'start') current = event.page;
      else if (event.type === 'broken') progress.broken(event.page);
      else if (event.type === 'opened') {
        progress.opened(event);
        // With the text there, a complete one is stored already.
        if (!hasText) store.meta();
      } else if (event.type === 'cover') store.cover();
      else if (event.type === 'page') store.page(event.page, () => progress.stored(event.page));
      else if (event.type === 'text') {
        hasText = true;
        store.text(() => progress.describe());
      }
    };
    const isComing = coming !== undefined;
    const commands = sendCommands(ctx, lease, task, progress);
    const end = await runSandboxed({
      task: 'pdf',
      input: isComing ? { coming: source.pdf } : pdf,
      folder,
      options: {
        wait: isComing,
        from: progress.ready() + 1,
        first: FIRST_PAGES,
        text: !hasText,
        isSlides: SLIDES.includes(lease.content.format),
        skip: [...skip],
        parallel,
      },
      limits: task.limits.render,
      workload: task.workload,
      signal,
      onEvent,
      control: (send) => commands.start(send, coming),
    }).finally(commands.stop);
    coming = undefined;
    await store.settle();
    await progress.write();
    if (end.isDone) break;
    if (end.killedBy === 'abort') throw signal.reason;
    if (current === 0 && isComing) {
      await source.coming;
      continue;
    }
    const cause = causeOf(end);
    if (cause === 'cpu') throw new ConversionTimeout([...skip]);
    // Several pages together took too much; one after the other may do.
    if (cause === 'memory' && parallel > 1) {
      parallel = 1;
      continue;
    }
    if (current === 0) throw unopened(end, cause);
    // Skipping it did not help, and nothing else is left to try.
    if (skip.has(current)) throw new PermanentConversionError(`第 ${current} 页无法显示，转换不能继续`);
    skip.add(current);
    if (skip.size > MAX_BROKEN_PAGES) throw new PermanentConversionError('文档中无法显示的页面过多');
    await lease.change({ skip_pages: [...skip] });
    await drawSubstitute(task, signal, pdf, current);
  }
  if (progress.allBroken()) throw new PermanentConversionError('文档已损坏，没有可以显示的页面');
  if (task.isStopRequested && progress.ready() < progress.pages()) return false;
  await progress.finish();
  return true;
}

/** While the renderer runs: passes on pages that readers wait for, writes progress, asks it to stop. */
function sendCommands(ctx: Context, lease: Lease, task: ConversionTask, progress: ReturnType<typeof renderProgress>) {
  let isStopSent = false;
  let watch: NodeJS.Timeout | undefined;
  return {
    start(send: (line: string) => void, coming: Promise<unknown> | undefined) {
      // Should LibreOffice fail, the signal ends the renderer.
      coming?.then(
        () => send(JSON.stringify({ go: true })),
        () => {},
      );
      const look = async () => {
        const pages = await takePageRenderRequests(ctx, lease.content.id);
        if (pages.length > 0) send(JSON.stringify({ want: pages }));
        await progress.write();
        if (!task.isStopRequested || isStopSent) return;
        isStopSent = true;
        send(JSON.stringify({ stop: true }));
      };
      watch = setInterval(() => {
        look().catch((error: unknown) => {
          // The worker that took the lease over goes on; this attempt is being aborted.
          if (!(error instanceof LeaseTaken)) ctx.log.warn({ err: error }, 'progress not written');
        });
      }, WATCH_MS);
    },
    stop: () => clearInterval(watch),
  };
}

/** The system kills without a word what is too large for the machine. */
const causeOf = ({ killedBy, code }: SandboxEnd): SandboxEnd['killedBy'] =>
  killedBy === null && (code === null || code === KILLED_CODE) ? 'memory' : killedBy;

/** It ended before its first page: only when the engine itself broke down is it the document's fault. */
function unopened({ errors, code }: SandboxEnd, cause: SandboxEnd['killedBy']): Error {
  if (cause === 'stall' || cause === 'idle') return new ConversionTimeout();
  if (cause === 'memory') return new PermanentConversionError('文档过大或过于复杂，无法转换');
  if (/RuntimeError|RangeError|Aborted/.test(errors)) return new PermanentConversionError('文档已损坏，无法打开');
  return new Error(`the renderer ended with ${code}: ${errors}`);
}

/** Another program tries the page; the renderer uses the image that it leaves. */
async function drawSubstitute(
  { workspace: { folder }, limits, workload }: ConversionTask,
  signal: AbortSignal,
  pdf: string,
  page: number,
): Promise<void> {
  const program = await findProgram('pdftoppm');
  if (!program || !(await canIsolate())) return;
  await checkInput(folder, pdf);
  await runIsolated({
    command: program,
    args: [
      ...['-f', String(page), '-l', String(page), '-singlefile', '-png'],
      ...['-scale-to', '1600', '/in.pdf', `/work/substitute-${page}`],
    ],
    workFolder: folder,
    reads: [{ from: pdf, to: '/in.pdf' }],
    limits: limits.substitute,
    workload,
    signal,
  });
}
