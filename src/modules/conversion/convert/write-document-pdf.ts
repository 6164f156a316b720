import type { SandboxLimits } from '#platform/server/sandbox/sandbox-task.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { decodeHeic } from './decode-heic.ts';
import { repackArchive } from './repack-archive.ts';
import { runSandboxedTaskToEnd } from './run-sandboxed-converter.ts';
import type { WritePdfTask } from './write-pdf-task.ts';

/** Name of the PDF in the work folder. */
const PAGES_PDF = 'pages.pdf';

/** Writes a PDF with the pages of a document and returns its name in the work folder. */
export async function writeDocumentPdf(format: FileFormat, task: WritePdfTask): Promise<string> {
  const input = await prepareInput(format, task);
  await writePdfInSandbox(isComic(format) ? 'comic' : 'images', { ...task, input }, task.limits.writePdf);
  return PAGES_PDF;
}

const isComic = (format: FileFormat) => format === 'cbz' || format === 'cbr' || format === 'cb7';

function prepareInput(format: FileFormat, task: WritePdfTask): Promise<string> | string {
  if (format === 'heic') return decodeHeic(task);
  return format === 'cbr' || format === 'cb7' ? repackArchive(format, task) : task.input;
}

const writePdfInSandbox = (
  task: 'images' | 'comic',
  { input, folder, workload, signal }: WritePdfTask,
  limits: SandboxLimits,
): Promise<void> =>
  runSandboxedTaskToEnd({ task, input, folder, options: {}, limits, workload, signal, onEvent: () => {} });
