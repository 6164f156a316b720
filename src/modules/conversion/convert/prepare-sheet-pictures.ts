import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { Context } from '#platform/server/context.ts';
import { isOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import type { FileFormat } from '../conversion.contract.ts';
import type { Lease } from '../rendition.ts';
import { drawingSlides, SLIDES_FILE, SLIDES_PRESENTATION } from '../sandboxed/sheet-pictures/drawing-slides.ts';
import { type ConversionTask, MAX_ATTEMPTS } from './attempt.ts';
import { ConversionTimeout, PermanentConversionError, ProgramMissing } from './conversion-errors.ts';
import { copyWorkbookAsXlsx, officeToPdf } from './office-to-pdf.ts';
import { runSandboxedTaskToEnd } from './run-sandboxed-converter.ts';
import { readOutputFile } from './sandbox-output-file.ts';
import { chunksContain, withZip } from './scan-file.ts';

const drawingParts: Partial<Record<FileFormat, RegExp>> = {
  xlsx: /^xl\/(?:drawings\/|cellimages\.xml)/i,
  xlsb: /^xl\/drawings\//i,
  ods: /^(?:Pictures|Object [^/]*)\//,
};
/** In xls: start of a chart, PNG, JPEG, and the headers of EMF and WMF pictures. */
const drawingMarks: Partial<Record<FileFormat, RegExp>> = {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: binary signatures
  xls: /\t\x08[\x08\x10]\0\0[\x05\x06] \0|\x89PNG|\xff\xd8\xff|[@P]=\x1a\xf0|[`p]!\x1b\xf0/,
  fods: /<draw:(?:image|object)/,
};

/** A false positive only makes the conversion slower. */
async function mayHavePictures(file: string, format: FileFormat): Promise<boolean> {
  const [part, mark] = [drawingParts[format], drawingMarks[format]];
  if (mark) return chunksContain(createReadStream(file, 'latin1') as AsyncIterable<string>, mark);
  if (!part) return false;
  return withZip(file, async (zip) => {
    for await (const { fileName } of zip.eachEntry()) if (part.test(fileName)) return true;
    return false;
  });
}

/**
 * Extracts the pictures of a workbook and draws its charts, for the task that reads the cells. Where that is not possible,
 * the cells are shown without them.
 */
export async function prepareSheetPictures(ctx: Context, { rendition }: Lease, task: ConversionTask): Promise<void> {
  const { format, attempts } = rendition;
  try {
    if (await mayHavePictures(task.workspace.input, format)) await extractAndDraw(ctx, format, task);
  } catch (error) {
    task.signal.throwIfAborted();
    if (!isFinal(error) && (attempts < MAX_ATTEMPTS || isOutOfSpace(error))) throw error;
    ctx.log.warn({ err: error, rendition: rendition.id }, 'a workbook is shown without its pictures');
  }
}

const isFinal = (error: unknown) =>
  error instanceof PermanentConversionError || error instanceof ConversionTimeout || error instanceof ProgramMissing;

async function extractAndDraw(ctx: Context, format: FileFormat, task: ConversionTask): Promise<void> {
  const { workspace, limits, workload, signal } = task;
  const { folder } = workspace;
  const officeTask = { ...workspace, format, limits, workload, signal };
  const sandboxedTask = { folder, workload, signal, onEvent: () => {} };
  const extract = async (input: string, isCopy = false) => {
    await runSandboxedTaskToEnd({
      ...sandboxedTask,
      task: 'sheet-pictures',
      input,
      options: { isCopy },
      limits: limits.read,
    });
    return drawingSlides.parse(JSON.parse((await readOutputFile(folder, SLIDES_FILE)).toString('utf8')));
  };
  const isOfficeOpenXml = format === 'xlsx' || format === 'xlsb';
  let slides = await extract(isOfficeOpenXml ? workspace.input : await copyWorkbookAsXlsx(ctx, officeTask));
  // LibreOffice computes the numbers of charts from the cells.
  if (slides.hasChartWithoutNumbers && format === 'xlsx')
    slides = await extract(await copyWorkbookAsXlsx(ctx, officeTask), true);
  if (slides.drawings.length === 0) return;
  const presentation = path.join(folder, SLIDES_PRESENTATION);
  const input = await officeToPdf(ctx, { ...officeTask, input: presentation, format: 'pptx' });
  await runSandboxedTaskToEnd({ ...sandboxedTask, task: 'sheet-slides', input, options: {}, limits: limits.hiRes });
}
