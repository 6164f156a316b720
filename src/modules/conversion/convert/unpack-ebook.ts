import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import type { Workload } from '#platform/server/sandbox/workload.ts';
import { rejectionError } from './conversion-errors.ts';
import type { ConversionLimits } from './limits.ts';
import { assertProgramFinished, requireProgram } from './require-program.ts';
import { withOutputFile } from './sandbox-output-file.ts';

const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;

type UnpackTask = {
  input: string;
  folder: string;
  limits: ConversionLimits;
  workload: Workload;
  signal: AbortSignal;
};

/** Converts a Kindle book (MOBI, AZW3, PRC) to EPUB and returns its path. calibre tells them apart by their bytes. */
export async function mobiToEpub(task: UnpackTask): Promise<string> {
  const { input, folder, limits, workload, signal } = task;
  const program = await requireProgram('ebook-convert', 'calibre');
  const end = await runIsolatedProgram({
    command: program,
    args: ['/in/book.mobi', '/work/book.epub', '--no-default-epub-cover'],
    workFolder: folder,
    readOnlyMounts: [{ from: input, to: '/in/book.mobi' }],
    env: {
      QT_QPA_PLATFORM: 'offscreen',
      QTWEBENGINE_DISABLE_SANDBOX: '1',
      CALIBRE_CONFIG_DIRECTORY: '/tmp/calibre',
      CALIBRE_TEMP_DIR: '/tmp',
    },
    limits: limits.read,
    workload,
    signal,
  });
  const hasOutput = await withOutputFile(folder, 'book.epub', async (file) => (await file.stat()).size > 0)
    // calibre reports the cause on standard error.
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    });
  if (hasOutput && end.killedBy === null) return path.join(folder, 'book.epub');
  assertProgramFinished(end, signal);
  throw rejectionError(/DRM/.test(end.stderrTail) ? 'drm' : 'damaged');
}

/** Unpacks a CHM file into a folder of pages and returns its path. The exit code of 7z is 0 even without any output. */
export async function unpackChm(task: UnpackTask): Promise<string> {
  const { input, folder, limits, workload, signal } = task;
  const program = await requireProgram('7z', '7z');
  const run = async (args: string[], onLine?: (line: string) => void) => {
    const end = await runIsolatedProgram({
      command: program,
      args: [...args, '/in/book.chm'],
      workFolder: folder,
      readOnlyMounts: [{ from: input, to: '/in/book.chm' }],
      limits: limits.read,
      workload,
      signal,
      ...(onLine && { onLine }),
    });
    assertProgramFinished(end, signal);
  };
  let bytes = 0;
  await run(['l', '-slt'], (line) => {
    bytes += Number(/^Size = (\d+)$/.exec(line)?.[1] ?? 0);
  });
  if (bytes > MAX_UNPACKED_BYTES) throw rejectionError('bomb');
  await run(['x', '-y', '-bd', '-o/work/book']);
  const book = path.join(folder, 'book');
  const isFolder = await lstat(book).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder || (await readdir(book)).length === 0) throw rejectionError('damaged');
  return book;
}
