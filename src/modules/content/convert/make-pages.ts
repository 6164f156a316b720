import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { type Lease, PIPELINE_VERSION } from '../content.ts';
import { derivedKeys } from '../content-keys.ts';
import { niceness, renderLimits } from './lane.ts';
import { withMade } from './made-file.ts';
import { isOffice, OFFICE_PDF, officeToPdf } from './office.ts';
import { type RenderTask, renderPages } from './render-pages.ts';
import { runWorkshop } from './run-workshop.ts';
import { pageStore, StoringFailed } from './store-pages.ts';
import type { Workspace } from './workspace.ts';

/** Above this size the first pages are converted on their own, so that a reader need not wait for all. */
const LARGE_BYTES = 1_500_000;
const FIRST_LOOK = '1-2';

type PagesTask = Omit<RenderTask, 'pdf' | 'folder'> & { workspace: Workspace };

/** A document that is read page by page: PDF as it is, office documents by way of one. */
export async function makePages(ctx: Context, lease: Lease, task: PagesTask): Promise<boolean> {
  const { folder, input } = task.workspace;
  const { format, size } = lease.content;
  if (!isOffice(format)) return renderPages(ctx, lease, { ...task, pdf: input, folder });
  const stored = await fetchPdf(ctx, lease, folder);
  if (stored) return renderPages(ctx, lease, { ...task, pdf: stored, folder });
  const { lane } = task;
  const over = new AbortController();
  const signal = AbortSignal.any([task.signal, over.signal]);
  const office = { input, folder, format, lane, signal };
  if (size > LARGE_BYTES && lane === 'fast' && lease.content.ready_pages === 0)
    await showFirstPages(ctx, lease, task, office);
  // Whoever draws gets ready meanwhile: it takes as long as drawing the first page.
  const coming = makePdf(ctx, lease, office);
  coming.catch((error: unknown) => over.abort(error));
  try {
    return await renderPages(ctx, lease, { ...task, coming, pdf: OFFICE_PDF, folder, signal });
  } finally {
    // Nobody writes into the folder any more when it is removed.
    over.abort();
    await Promise.allSettled([coming]);
  }
}

async function makePdf(
  ctx: Context,
  { content }: Lease,
  office: Parameters<typeof officeToPdf>[1],
): Promise<void> {
  await officeToPdf(ctx, office);
  const key = derivedKeys({ ...content, version: PIPELINE_VERSION }).pdf;
  await withMade(office.folder, OFFICE_PDF, (pdf) =>
    ctx.storage.put(key, pdf.createReadStream({ autoClose: false })).catch((error) => {
      throw new StoringFailed(error);
    }),
  );
}

/** An attempt that was interrupted need not begin again. */
async function fetchPdf(ctx: Context, { content }: Lease, folder: string): Promise<string | null> {
  if (content.version !== PIPELINE_VERSION || content.state !== 'readable') return null;
  const key = derivedKeys({ ...content, version: PIPELINE_VERSION }).pdf;
  const file = path.join(folder, 'canonical.pdf');
  try {
    const { stream } = await ctx.storage.get(key);
    await pipeline(stream, createWriteStream(file));
    return file;
  } catch (error) {
    if (error instanceof StorageNotFound) return null;
    throw error;
  }
}

/**
 * A quick look at the beginning, for the owner who waits. The whole replaces it, so whatever goes wrong
 * here costs nothing.
 */
async function showFirstPages(
  ctx: Context,
  lease: Lease,
  { lane, signal }: PagesTask,
  office: Parameters<typeof officeToPdf>[1],
): Promise<void> {
  const { folder } = office;
  try {
    const pdf = await officeToPdf(ctx, { ...office, pages: FIRST_LOOK });
    const store = pageStore(ctx, { ...lease.content, version: PIPELINE_VERSION }, folder, signal);
    let size = { width: 0, height: 0 };
    let pages = 0;
    await runWorkshop({
      ...{ task: 'pdf', input: pdf, folder, signal, nice: niceness(lane) },
      options: { from: 1, first: 2, text: false, skip: [], parallel: 2 },
      limits: renderLimits(lane),
      onEvent(event) {
        if (event.type === 'opened') size = event;
        else if (event.type === 'cover') store.cover();
        else if (event.type === 'page') store.page(event.page, () => pages++);
      },
    });
    store.meta();
    await store.settle();
    const { width, height } = size;
    const shown = { view: 'pages', version: PIPELINE_VERSION, pages, ready_pages: pages } as const;
    if (pages > 0) await lease.change({ ...shown, width, height });
  } catch (error) {
    if (signal.aborted) throw error;
    ctx.log.debug({ err: error, content: lease.content.id }, 'no first look');
  }
}
