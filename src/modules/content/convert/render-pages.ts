import { availableParallelism } from 'node:os';
import type { Context } from '#platform/server/context.ts';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { runIsolated } from '#platform/server/sandbox/sandbox.ts';
import type { SandboxEnd, SandboxLimits } from '#platform/server/sandbox/task.ts';
import { type Lease, LeaseTaken, PIPELINE_VERSION } from '../content.ts';
import { describeText } from '../describe-text.ts';
import { takeWishes } from '../page-wishes.ts';
import type { WorkshopEvent } from '../workshop/events.ts';
import { Hopeless, OutOfTime } from './failures.ts';
import { type Lane, niceness, readLimits, renderLimits } from './lane.ts';
import { withMade } from './made-file.ts';
import { runWorkshop, workFile } from './run-workshop.ts';
import { pageStore } from './store-pages.ts';

/** Pages drawn before the text is read. */
const FIRST_PAGES = 3;
const WATCH_MS = 1_000;
/** Encoding a page takes about 100 MB. */
const MAX_PARALLEL = 4;
/** What a shell says of a program that was ended by SIGKILL. */
const KILLED = 137;
/** Pages that end the workshop: more than this and the document is not worth it. */
const MAX_BROKEN = 20;

export type RenderTask = {
  pdf: string;
  /** Kept while `pdf`, a name within the folder, is still being made. */
  coming?: Promise<unknown>;
  folder: string;
  lane: Lane;
  signal: AbortSignal;
  /** Pages known to hang. */
  skip: number[];
  /** Whether to stop for now because others wait. */
  shouldYield(): Promise<boolean>;
};

/**
 * Draws the pages of a PDF and stores them as they come: the first ones at once, then the
 * rest beside the text. True when all are there, false when it stopped for others.
 */
export async function renderPages(ctx: Context, lease: Lease, task: RenderTask): Promise<boolean> {
  const { folder, signal, lane } = task;
  let { coming } = task;
  const pdf = coming ? workFile(folder, task.pdf) : task.pdf;
  const skip = new Set(task.skip);
  const store = pageStore(ctx, { ...lease.content, version: PIPELINE_VERSION }, folder, signal);
  const progress = progressOf(ctx, lease, folder);
  let hasText = lease.content.text_size > 0 && lease.content.version === PIPELINE_VERSION;
  let isYielding = false;
  let parallel = Math.min(MAX_PARALLEL, Math.max(2, availableParallelism()));
  const hanging = task.skip.filter((page) => page > progress.ready());
  if (hanging.length > 0) {
    await coming;
    coming = undefined;
    for (const page of hanging) await drawSubstitute({ ...task, pdf }, page);
  }
  for (;;) {
    let current = 0;
    let send: ((line: string) => void) | null = null;
    const look = async () => {
      const pages = await takeWishes(ctx, lease.content.id);
      if (pages.length > 0) send?.(JSON.stringify({ want: pages }));
      await progress.write();
      if (!isYielding && progress.isReadable() && (await task.shouldYield())) {
        isYielding = true;
        send?.(JSON.stringify({ stop: true }));
      }
    };
    const watch = setInterval(() => {
      look().catch((error: unknown) => {
        // Whoever took it over goes on; this attempt is being called off.
        if (!(error instanceof LeaseTaken)) ctx.log.warn({ err: error }, 'progress not written');
      });
    }, WATCH_MS);
    const onEvent = (event: WorkshopEvent) => {
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
    const wait = coming !== undefined;
    const limits = renderLimits(lane);
    const beganAt = performance.now();
    const end = await runWorkshop({
      task: 'pdf',
      input: wait ? { coming: task.pdf } : pdf,
      folder,
      options: {
        wait,
        from: progress.ready() + 1,
        first: FIRST_PAGES,
        text: !hasText,
        skip: [...skip],
        parallel,
      },
      limits,
      nice: niceness(lane),
      signal,
      onEvent,
      control: (line) => {
        send = line;
        // Should it never come, this is called off by the signal.
        coming?.then(
          () => line(JSON.stringify({ go: true })),
          () => {},
        );
      },
    }).finally(() => clearInterval(watch));
    coming = undefined;
    await store.settle();
    await progress.write();
    if (end.isDone) break;
    if (end.killedBy === 'abort') throw signal.reason;
    if (current === 0 && wait) {
      await task.coming;
      continue;
    }
    // A page that hangs is silent long before: the one being drawn is not to blame.
    const why = reasonOf(end, limits, performance.now() - beganAt);
    if (why === 'time') throw new OutOfTime([...skip]);
    // Several pages together took too much; one after the other may do.
    if (why === 'memory' && parallel > 1) {
      parallel = 1;
      continue;
    }
    if (current === 0) throw unopened(end, why);
    // Skipping it did not help, and nothing else is left to try.
    if (skip.has(current)) throw new Hopeless(`第 ${current} 页无法显示，转换不能继续`);
    skip.add(current);
    // On the fast lane a page that hangs costs the others their time.
    if (lane === 'fast' && why === 'silence') throw new OutOfTime([...skip]);
    if (skip.size > MAX_BROKEN) throw new Hopeless('文档中无法显示的页面过多');
    await drawSubstitute({ ...task, pdf }, current);
  }
  if (progress.allBroken()) throw new Hopeless('文档已损坏，没有可以显示的页面');
  if (isYielding && progress.ready() < progress.pages()) return false;
  await progress.finish();
  return true;
}

/**
 * What ended it. The system kills without a word what has used up its time of the processor, which
 * takes a while on all of them together; what it kills sooner was too large for the machine.
 */
function reasonOf({ killedBy, code }: SandboxEnd, { cpuSeconds }: SandboxLimits, ms: number) {
  if (killedBy !== null || (code !== null && code !== KILLED)) return killedBy;
  return ms >= (cpuSeconds * 1_000) / availableParallelism() ? 'time' : 'memory';
}

/** It ended before its first page: only when the engine itself broke down is it the document's fault. */
function unopened({ errors, code }: SandboxEnd, why: SandboxEnd['killedBy']): Error {
  if (why === 'silence') return new OutOfTime();
  if (why === 'memory') return new Hopeless('文档过大或过于复杂，无法转换');
  if (/RuntimeError|RangeError|Aborted/.test(errors)) return new Hopeless('文档已损坏，无法打开');
  return new Error(`the workshop ended with ${code}: ${errors}`);
}

/** Another program tries the page; the workshop uses what it leaves. */
async function drawSubstitute(
  { pdf, folder, lane, signal }: RenderTask,
  page: number,
): Promise<void> {
  const program = await findProgram('pdftoppm');
  if (!program || !(await canIsolate())) return;
  await runIsolated({
    command: program,
    args: [
      ...['-f', String(page), '-l', String(page), '-singlefile', '-png'],
      ...['-scale-to', '1600', '/in.pdf', `/work/substitute-${page}`],
    ],
    workFolder: folder,
    reads: [{ from: pdf, to: '/in.pdf' }],
    limits: { ...readLimits(lane), wallMs: 20_000, cpuSeconds: 20 },
    nice: niceness('slow'),
    signal,
  });
}

const isComplete = ({ pages, ready_pages }: Lease['content']) => pages > 0 && ready_pages === pages;

/** How far it is, written to the database now and then, one change after the other. */
function progressOf(ctx: Context, lease: Lease, folder: string) {
  const { content } = lease;
  const isContinued = content.version === PIPELINE_VERSION && content.state === 'readable';
  // Readers keep the old pages until all new ones are there.
  const isRemade = !isContinued && content.ready_at !== null && isComplete(content);
  const stored = new Set<number>();
  const brokenPages = new Set<number>();
  let ready = isContinued ? content.ready_pages : 0;
  let written = ready;
  let isReadable = isContinued;
  let size = { pages: content.pages, width: content.width, height: content.height };
  let last: Promise<void> = Promise.resolve();
  const change = (make: () => Parameters<Lease['change']>[0] | null) => {
    const next = last.then(async () => {
      const values = make();
      if (values) await lease.change(values);
    });
    last = next.catch(() => {});
    return next;
  };
  const write = () =>
    change(() => {
      if (isRemade || ready === written || brokenPages.size >= size.pages) return null;
      const becomesReadable = !isReadable;
      written = ready;
      isReadable = true;
      return { ...size, ready_pages: ready, ...(becomesReadable && readable) };
    });
  return {
    ready: () => ready,
    pages: () => size.pages,
    isReadable: () => isReadable,
    allBroken: () => brokenPages.size > 0 && brokenPages.size >= size.pages,
    opened({ pages, width, height }: typeof size) {
      size = { pages, width, height };
    },
    broken: (page: number) => brokenPages.add(page),
    stored(page: number) {
      stored.add(page);
      while (stored.delete(ready + 1)) ready++;
      // The first page is what somebody waits for.
      if (ready >= 1 && !isReadable)
        write().catch((error: unknown) => ctx.log.warn({ err: error }, 'progress not written'));
    },
    write,
    async describe() {
      const facts = await withMade(folder, 'text.txt', describeText);
      await change(() => facts);
    },
    finish: () =>
      change(() => ({
        ...readable,
        ...{ ...size, ready_pages: size.pages, state: 'ready' },
        ready_at: ctx.now().toISOString(),
      })),
  };
}

const readable = {
  state: 'readable',
  view: 'pages',
  reason: '',
  version: PIPELINE_VERSION,
} as const;
