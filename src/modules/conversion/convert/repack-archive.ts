import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import type { RejectionReason } from '../sandboxed/rejection-reasons.ts';
import { rejectionError } from './conversion-errors.ts';
import { extractComicPages } from './extract-comic-pages.ts';
import { assertProgramFinished, requireProgram } from './require-program.ts';
import type { WritePdfTask } from './write-pdf-task.ts';

/** Size of a ZIP file without members. */
const EMPTY_ZIP_BYTES = 22;

/** A ZIP file, or a folder with the pages in their order. */
export type RepackedArchive = { file: string; writer: 'comic' | 'images' };

/**
 * Repacks a RAR or 7z archive as an uncompressed ZIP file. No member becomes a file, so that no name leads outside of the
 * folder, and the limit on the size of one file limits the unpacked bytes. The pages of a damaged archive are extracted one
 * by one.
 */
export async function repackArchive(format: 'cbr' | 'cb7', task: WritePdfTask): Promise<RepackedArchive> {
  const program = await requireProgram('bsdtar', 'bsdtar');
  const outcome = await writeZipFile(format, task, program);
  if ('file' in outcome) return { ...outcome, writer: 'comic' };
  const file = outcome.reason === 'encrypted' && format === 'cbr' ? null : await extractComicPages(task, program);
  if (file === null || !(await hasContent(file))) throw rejectionError(outcome.reason);
  return { file, writer: 'images' };
}

async function hasContent(folder: string): Promise<boolean> {
  const files = await Promise.all((await readdir(folder)).map((name) => stat(path.join(folder, name))));
  return files.some(({ size }) => size > 0);
}

async function writeZipFile(
  format: 'cbr' | 'cb7',
  { input, folder, limits, workload, signal }: WritePdfTask,
  program: string,
): Promise<{ file: string } | { reason: RejectionReason }> {
  const target = path.join(folder, 'repacked.zip');
  const end = await runIsolatedProgram({
    command: program,
    args: [...['-c', '-f', '/work/repacked.zip', '--format=zip', '--options', 'zip:compression=store'], '@/in/archive'],
    workFolder: folder,
    readOnlyMounts: [{ from: input, to: '/in/archive' }],
    // Names in other encodings than ASCII need a locale.
    env: { LC_ALL: 'C.UTF-8' },
    limits: limits.writePdf,
    workload,
    signal,
  });
  assertProgramFinished(end, signal);
  const { stderrTail } = end;
  if (/crypt|passphrase|password/i.test(stderrTail)) return { reason: 'encrypted' };
  // The message about encrypted members of 7z archives, and about truncated RAR archives.
  if (stderrTail.includes('(null)')) return { reason: format === 'cb7' ? 'encrypted' : 'damaged' };
  if (/File too large|No space/i.test(stderrTail)) throw rejectionError('bomb');
  if (/truncated|unexpected end/i.test(stderrTail)) return { reason: 'incomplete' };
  const size = await stat(target).then(
    (file) => file.size,
    () => 0,
  );
  if (size <= EMPTY_ZIP_BYTES || /Error reading archive|Unrecognized archive/i.test(stderrTail))
    return { reason: 'damaged' };
  return { file: target };
}
