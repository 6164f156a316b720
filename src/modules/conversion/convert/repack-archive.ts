import { stat } from 'node:fs/promises';
import path from 'node:path';
import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import { rejectionError } from './conversion-errors.ts';
import { assertProgramFinished, requireProgram } from './require-program.ts';
import type { WritePdfTask } from './write-pdf-task.ts';

/** Size of a ZIP file without members. */
const EMPTY_ZIP_BYTES = 22;

/**
 * Repacks a RAR or 7z archive as an uncompressed ZIP file and returns its path. No member becomes a file, so that no name
 * leads outside of the folder, and the limit on the size of one file limits the unpacked bytes.
 */
export async function repackArchive(
  format: 'cbr' | 'cb7',
  { input, folder, limits, workload, signal }: WritePdfTask,
): Promise<string> {
  const program = await requireProgram('bsdtar', 'bsdtar');
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
  if (/crypt|passphrase|password/i.test(stderrTail)) throw rejectionError('encrypted');
  // The message about encrypted members of 7z archives, and about truncated RAR archives.
  if (stderrTail.includes('(null)')) throw rejectionError(format === 'cb7' ? 'encrypted' : 'damaged');
  if (/File too large|No space/i.test(stderrTail)) throw rejectionError('bomb');
  if (/truncated|unexpected end/i.test(stderrTail)) throw rejectionError('incomplete');
  const size = await stat(target).then(
    (file) => file.size,
    () => 0,
  );
  if (size <= EMPTY_ZIP_BYTES || /Error reading archive|Unrecognized archive/i.test(stderrTail))
    throw rejectionError('damaged');
  return target;
}
