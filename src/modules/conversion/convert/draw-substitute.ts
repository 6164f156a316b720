import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import type { ConversionTask } from './attempt.ts';
import { rejectLinkedInput } from './sandbox-output-file.ts';

/** Draws a page that crashes the renderer with another program; the renderer uses the image. */
export async function drawSubstitute(
  { workspace: { folder }, limits, workload }: ConversionTask,
  signal: AbortSignal,
  pdf: string,
  page: number,
): Promise<void> {
  const program = await findProgram('pdftoppm');
  if (!program || !(await isSandboxAvailable())) return;
  await rejectLinkedInput(folder, pdf);
  await runIsolatedProgram({
    command: program,
    args: [
      ...['-f', String(page), '-l', String(page), '-singlefile', '-png'],
      ...['-scale-to', '1600', '/in.pdf', `/work/substitute-${page}`],
    ],
    workFolder: folder,
    readOnlyMounts: [{ from: pdf, to: '/in.pdf' }],
    limits: limits.substitute,
    workload,
    signal,
  });
}
