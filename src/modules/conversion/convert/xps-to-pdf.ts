import { stat } from 'node:fs/promises';
import path from 'node:path';
import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import { rejectionError } from './conversion-errors.ts';
import { assertProgramFinished, requireProgram } from './require-program.ts';
import type { WritePdfTask } from './write-pdf-task.ts';

const XPS_PDF = 'xps.pdf';

/** Converts an XPS document and returns the name of the PDF in the work folder. */
export async function xpsToPdf({ input, folder, limits, workload, signal }: WritePdfTask): Promise<string> {
  const program = await requireProgram('mutool', 'MuPDF');
  const end = await runIsolatedProgram({
    command: program,
    args: ['convert', '-o', `/work/${XPS_PDF}`, '/in/document.xps'],
    workFolder: folder,
    readOnlyMounts: [{ from: input, to: '/in/document.xps' }],
    limits: limits.writePdf,
    workload,
    signal,
  });
  assertProgramFinished(end, signal);
  const size = await stat(path.join(folder, XPS_PDF)).then(
    (file) => file.size,
    () => 0,
  );
  if (size === 0 || end.code !== 0) throw rejectionError('damaged');
  return XPS_PDF;
}
