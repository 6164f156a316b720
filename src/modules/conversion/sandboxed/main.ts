// Entry point of the sandboxed converter, which opens untrusted files. It runs in the sandbox, reads one file, writes
// into one folder, and reports events on standard output.
import { createInterface } from 'node:readline';
import type { ConverterEvent } from './events.ts';
import { isStackOverflow } from './nesting-limit.ts';
import { RejectedFileError } from './rejection-reasons.ts';
import type { RenderCommands } from './render-pdf.ts';

const emit = (event: ConverterEvent) => process.stdout.write(`${JSON.stringify(event)}\n`);

function listenForCommands(): RenderCommands {
  const { promise: inputReady, resolve: reportInputReady } = Promise.withResolvers<void>();
  const commands: RenderCommands = { requestedPages: [], isStopRequested: false, inputReady };
  type Command = { requestedPages?: number[]; stop?: boolean; inputReady?: boolean };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { requestedPages = [], stop = false, inputReady: isReady = false } = JSON.parse(line) as Command;
    commands.requestedPages.push(...requestedPages);
    commands.isStopRequested ||= stop;
    if (isReady) reportInputReady();
  });
  return commands;
}

/** Read from standard input, because other processes can read the arguments of a process. */
async function readPassword(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin }))
    return (JSON.parse(line) as { password: string }).password;
  throw new Error('no password on standard input');
}

async function main([task = '', file = '', folder = '', options = '{}']: string[]) {
  const taskOptions = { ...JSON.parse(options), file, folder };
  // Loads only the modules of the task, because a reader waits for the first page.
  if (task === 'pdf') await (await import('./render-pdf.ts')).renderPdf(taskOptions, emit, listenForCommands());
  else if (task === 'hi-res') await (await import('./render-hi-res.ts')).renderHiRes(taskOptions, emit);
  else if (task === 'ocr')
    await (await import('./ocr/recognize-pages.ts')).recognizePages(taskOptions, emit, listenForCommands());
  else if (task === 'find-scanned-pages')
    await (await import('./ocr/find-scanned-pages.ts')).findScannedPages(taskOptions, emit);
  else if (task === 'images') await (await import('./images/write-images-pdf.ts')).writeImagesPdf(taskOptions, emit);
  else if (task === 'comic') await (await import('./images/write-comic-pdf.ts')).writeComicPdf(taskOptions, emit);
  else if (task === 'djvu') await (await import('./djvu/write-djvu-pdf.ts')).writeDjvuPdf(taskOptions, emit);
  else if (task === 'flow') await (await import('./flow/convert-to-flow.ts')).convertToFlow(taskOptions, emit);
  else if (task === 'ofd') await (await import('./ofd/convert-ofd.ts')).convertOfd(taskOptions, emit);
  else if (task === 'sheet') await (await import('./sheet/convert-to-sheets.ts')).convertToSheets(taskOptions, emit);
  else if (task === 'sheet-pictures')
    await (await import('./sheet-pictures/extract-pictures.ts')).extractPictures(taskOptions);
  else if (task === 'sheet-slides') await (await import('./sheet-pictures/draw-slides.ts')).drawSlides(taskOptions);
  else if (task === 'accept-changes')
    await (await import('./accept-tracked-changes.ts')).acceptTrackedChanges(taskOptions);
  else if (task === 'clean-wordml') (await import('./remove-hidden-wordml.ts')).writeWordMlWithoutHidden(taskOptions);
  else if (task === 'unpack-flat-opc') await (await import('./unpack-flat-opc.ts')).unpackFlatOpc(taskOptions);
  else if (task === 'remove-deleted-rows')
    await (await import('./remove-deleted-table-rows.ts')).removeDeletedTableRows(taskOptions);
  else if (task === 'unpack-archive') await (await import('./archive/unpack-archive.ts')).unpackArchive(taskOptions);
  else if (task === 'decrypt') await (await import('./decrypt.ts')).decryptDocument(taskOptions, await readPassword());
  else throw new Error(`unknown task: ${task}`);
  emit({ type: 'done' });
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (failure: unknown) => {
    const error = isStackOverflow(failure) ? new RejectedFileError('nested') : failure;
    if (error instanceof RejectedFileError) {
      emit({ type: 'rejected', reason: error.reason, detail: error.message.slice(0, 2000) });
      process.exit(0);
    }
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
