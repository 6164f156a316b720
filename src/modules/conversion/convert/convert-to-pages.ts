import path from 'node:path';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { type Lease, pipelineVersion } from '../rendition.ts';
import { derivedKeys } from '../rendition-keys.ts';
import type { ConversionTask } from './attempt.ts';
import { OFFICE_PDF, officeToPdf, withAcceptedChanges } from './office-to-pdf.ts';
import { withOutputFile } from './output-file.ts';
import { renderPages } from './render-pages.ts';
import { isOffice, type OfficeTask } from './run-libreoffice.ts';
import { runSandboxed } from './run-sandboxed.ts';
import { pageStore, StoringFailed } from './store-pages.ts';
import { fetchStored } from './workspace.ts';

/** Above this size the first pages are converted on their own, so that a reader need not wait for all. */
const LARGE_BYTES = 1_500_000;
const FIRST_LOOK = '1-2';

/** A document that is read page by page: PDF as it is, office documents by way of one. */
export async function convertToPages(ctx: Context, lease: Lease, task: ConversionTask): Promise<boolean> {
  const { folder, input } = task.workspace;
  const { format, size } = lease.content;
  if (!isOffice(format)) return renderPages(ctx, lease, task, { pdf: input });
  const stored = await fetchPdf(ctx, lease, folder);
  if (stored) return renderPages(ctx, lease, task, { pdf: stored });
  const over = new AbortController();
  const signal = AbortSignal.any([task.signal, over.signal]);
  const { limits, workload } = task;
  const office = await withAcceptedChanges(ctx, {
    input,
    folder,
    format,
    limits,
    workload,
    signal,
  });
  if (size > LARGE_BYTES && lease.content.queue_level === 0 && lease.content.ready_pages === 0)
    await showFirstPages(ctx, lease, office);
  // The renderer starts meanwhile: it takes as long to load as to draw the first page.
  const coming = makePdf(ctx, lease, office);
  coming.catch((error: unknown) => over.abort(error));
  try {
    return await renderPages(ctx, lease, task, { coming, pdf: OFFICE_PDF, signal });
  } finally {
    // No program writes into the folder any more when it is removed.
    over.abort();
    await Promise.allSettled([coming]);
  }
}

async function makePdf(ctx: Context, { content, change }: Lease, office: OfficeTask): Promise<void> {
  await officeToPdf(ctx, office);
  const key = derivedKeys({ ...content, version: pipelineVersion(content.format) }).pdf;
  await withOutputFile(office.folder, OFFICE_PDF, (pdf) =>
    ctx.storage.put(key, pdf.createReadStream({ autoClose: false })).catch((error) => {
      throw new StoringFailed(error);
    }),
  );
  await change({ has_pdf: true });
}

/** LibreOffice runs once for a document, however often its conversion is interrupted afterwards. */
async function fetchPdf(ctx: Context, { content }: Lease, folder: string): Promise<string | null> {
  if (!content.has_pdf) return null;
  const key = derivedKeys({ ...content, version: pipelineVersion(content.format) }).pdf;
  const file = path.join(folder, 'canonical.pdf');
  try {
    await fetchStored(ctx, key, file);
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
async function showFirstPages(ctx: Context, lease: Lease, office: OfficeTask): Promise<void> {
  const { folder, limits, workload, signal } = office;
  try {
    const pdf = await officeToPdf(ctx, { ...office, pages: FIRST_LOOK });
    const version = pipelineVersion(lease.content.format);
    const store = pageStore(ctx, { ...lease.content, version }, folder, signal);
    let size = { width: 0, height: 0 };
    let pages = 0;
    await runSandboxed({
      task: 'pdf',
      input: pdf,
      folder,
      signal,
      workload,
      options: { from: 1, first: 2, text: false, skip: [], parallel: 2 },
      limits: limits.render,
      onEvent(event) {
        if (event.type === 'opened') size = event;
        else if (event.type === 'cover') store.cover();
        else if (event.type === 'page') store.page(event.page, () => pages++);
      },
    });
    store.meta();
    await store.settle();
    const { width, height } = size;
    const firstPages = { view: 'pages', version, pages, ready_pages: pages } as const;
    if (pages > 0) await lease.change({ ...firstPages, width, height });
  } catch (error) {
    if (signal.aborted) throw error;
    ctx.log.debug({ err: error, content: lease.content.id }, 'no first look');
  }
}
