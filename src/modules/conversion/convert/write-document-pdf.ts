import type { SandboxLimits } from '#platform/server/sandbox/sandbox-task.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { decodeHeic } from './decode-heic.ts';
import { runSandboxedTaskToEnd } from './run-sandboxed-converter.ts';
import type { WritePdfTask } from './write-pdf-task.ts';

/** Name of the PDF in the work folder. */
const PAGES_PDF = 'pages.pdf';

/** Writes a PDF with the pages of a document and returns its name in the work folder. */
export async function writeDocumentPdf(format: FileFormat, task: WritePdfTask): Promise<string> {
  const input = format === 'heic' ? await decodeHeic(task) : task.input;
  await writePdfInSandbox('images', { ...task, input }, task.limits.writePdf);
  return PAGES_PDF;
}

const writePdfInSandbox = (
  task: 'images',
  { input, folder, workload, signal }: WritePdfTask,
  limits: SandboxLimits,
): Promise<void> =>
  runSandboxedTaskToEnd({ task, input, folder, options: {}, limits, workload, signal, onEvent: () => {} });
