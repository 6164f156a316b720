import path from 'node:path';
import type { Context } from '#platform/server/context.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { type Lease, pipelineVersion } from '../rendition.ts';
import { renditionStorageKeys } from '../rendition-keys.ts';
import type { ConversionTask } from './attempt.ts';
import { collectReplacedFonts } from './collect-replaced-fonts.ts';
import { createConverterOutputStore, StorageUnavailable } from './converter-output-store.ts';
import { acceptOfficeTrackedChanges, OFFICE_PDF, officeToPdf } from './office-to-pdf.ts';
import { renderPages } from './render-pages.ts';
import { isOfficeFormat, type OfficeTask } from './run-libreoffice.ts';
import { runSandboxedConverter, workFile } from './run-sandboxed-converter.ts';
import { withOutputFile } from './sandbox-output-file.ts';
import { downloadFromStorage } from './workspace.ts';
import { writeDocumentPdf } from './write-document-pdf.ts';

/** Above this size the first pages are converted separately, so that readers see them early. */
const PREVIEW_MIN_BYTES = 1_500_000;
const PREVIEW_PAGES = '1-2';

/** Converts a PDF directly and other documents through a PDF. Returns false when it stopped early. */
export async function convertToPages(ctx: Context, lease: Lease, task: ConversionTask): Promise<boolean> {
  const { folder, input } = task.workspace;
  const { format, size } = lease.rendition;
  if (format === 'pdf') return renderPages(ctx, lease, task, { pdf: input });
  const storedPdf = await downloadStoredPdf(ctx, lease, folder);
  if (storedPdf) return renderPages(ctx, lease, task, { pdf: storedPdf });
  if (!isOfficeFormat(format)) return convertThroughWrittenPdf(ctx, lease, task);
  const libreOfficeAbort = new AbortController();
  const signal = AbortSignal.any([task.signal, libreOfficeAbort.signal]);
  const { limits, workload } = task;
  const officeTask = await acceptOfficeTrackedChanges(ctx, {
    input,
    folder,
    format,
    limits,
    workload,
    signal,
  });
  if (size > PREVIEW_MIN_BYTES && lease.rendition.queue_level === 0 && lease.rendition.ready_pages === 0)
    await convertFirstPagesEarly(ctx, lease, officeTask);
  // Starts the renderer before the PDF exists: loading it takes as long as drawing the first page.
  const pdfReady = convertAndStorePdf(ctx, lease, officeTask);
  pdfReady.catch((error: unknown) => libreOfficeAbort.abort(error));
  try {
    return await renderPages(ctx, lease, task, { pdfReady, pdf: OFFICE_PDF, signal });
  } finally {
    // LibreOffice must have ended before the folder is removed.
    libreOfficeAbort.abort();
    await Promise.allSettled([pdfReady]);
  }
}

async function convertThroughWrittenPdf(ctx: Context, lease: Lease, task: ConversionTask): Promise<boolean> {
  const { folder, input } = task.workspace;
  const { limits, workload, signal } = task;
  const pdf = await writeDocumentPdf(lease.rendition.format, { input, folder, limits, workload, signal });
  await storePdf(ctx, lease, folder, pdf.name);
  await lease.change({ has_pdf: true, replaced_fonts: pdf.replacedFonts });
  return renderPages(ctx, lease, task, { pdf: workFile(folder, pdf.name) });
}

async function convertAndStorePdf(ctx: Context, lease: Lease, officeTask: OfficeTask): Promise<void> {
  const fonts = collectReplacedFonts();
  await officeToPdf(ctx, { ...officeTask, onLine: fonts.readLine });
  await storePdf(ctx, lease, officeTask.folder, OFFICE_PDF);
  await lease.change({ has_pdf: true, replaced_fonts: fonts.list() });
}

async function storePdf(ctx: Context, { rendition }: Lease, folder: string, name: string): Promise<void> {
  const key = renditionStorageKeys({ ...rendition, version: pipelineVersion(rendition.format) }).pdf;
  await withOutputFile(folder, name, (pdf) =>
    ctx.storage.put(key, pdf.createReadStream({ autoClose: false })).catch((error) => {
      throw new StorageUnavailable(error);
    }),
  );
}

/** A stored PDF spares an interrupted conversion the work of writing it again. */
async function downloadStoredPdf(ctx: Context, { rendition }: Lease, folder: string): Promise<string | null> {
  if (!rendition.has_pdf) return null;
  const key = renditionStorageKeys({ ...rendition, version: pipelineVersion(rendition.format) }).pdf;
  const file = path.join(folder, 'canonical.pdf');
  try {
    await downloadFromStorage(ctx, key, file);
    return file;
  } catch (error) {
    if (error instanceof StorageNotFound) return null;
    throw error;
  }
}

/**
 * Shows the first pages while the whole document is converted. The full conversion replaces them, so errors here are
 * ignored.
 */
async function convertFirstPagesEarly(ctx: Context, lease: Lease, officeTask: OfficeTask): Promise<void> {
  const { folder, limits, workload, signal } = officeTask;
  try {
    const pdf = await officeToPdf(ctx, { ...officeTask, pages: PREVIEW_PAGES });
    const version = pipelineVersion(lease.rendition.format);
    const store = createConverterOutputStore(ctx, { ...lease.rendition, version }, folder, signal);
    let size = { width: 0, height: 0 };
    let pages = 0;
    await runSandboxedConverter({
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
    ctx.log.debug({ err: error, rendition: lease.rendition.id }, 'could not convert a preview');
  }
}
