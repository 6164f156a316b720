import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { compareNaturally } from '#platform/contract/compare-naturally.ts';
import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import { isPageName } from '../sandboxed/images/comic-page-name.ts';
import { rejectionError } from './conversion-errors.ts';
import { assertProgramFinished } from './require-program.ts';
import type { WritePdfTask } from './write-pdf-task.ts';

const ARCHIVE = '/in/archive';
const MAX_PAGES = 3_000;
const MAX_TOTAL_KILOBYTES = 1024 * 1024;
const TOO_LARGE_EXIT_CODE = 3;
/** Writes each member to a file of its own, which is empty for a damaged one. The members are the arguments. */
const EXTRACT_EACH = `program=$0
  page=0
  for member do
    page=$((page + 1)); file=/work/members/$page
    "$program" -x -q -O -f ${ARCHIVE} -- "$member" >"$file" 2>/dev/null || : >"$file"
    [ "$(du -sk /work/members | cut -f 1)" -gt ${MAX_TOTAL_KILOBYTES} ] && exit ${TOO_LARGE_EXIT_CODE}
    echo $page
  done
  exit 0`;

/**
 * Extracts the images of a damaged archive one by one, in their natural order, and returns the path of their folder; null if
 * none is listed.
 */
export async function extractComicPages(task: WritePdfTask, program: string): Promise<string | null> {
  const names: string[] = [];
  await runArchiveProgram(task, program, ['-t', '-f', ARCHIVE], (name) => {
    if (isPageName(name) && names.length <= MAX_PAGES) names.push(name);
  });
  if (names.length === 0) return null;
  if (names.length > MAX_PAGES) throw rejectionError('tooLarge');
  const folder = path.join(task.folder, 'members');
  await mkdir(folder);
  const members = names.toSorted(compareNaturally).map(escapePattern);
  const { code } = await runArchiveProgram(task, '/bin/sh', ['-c', EXTRACT_EACH, program, ...members], () => {});
  if (code === TOO_LARGE_EXIT_CODE) throw rejectionError('bomb');
  return folder;
}

/** The program prints special characters with a backslash, which is also the escape of its patterns. */
const escapePattern = (name: string): string => name.replace(/[*?[\]]/g, '\\$&');

async function runArchiveProgram(
  { input, folder, limits, workload, signal }: WritePdfTask,
  command: string,
  args: string[],
  onLine: (line: string) => void,
) {
  const end = await runIsolatedProgram({
    command,
    args,
    workFolder: folder,
    readOnlyMounts: [{ from: input, to: ARCHIVE }],
    // Names in other encodings than ASCII need a locale.
    env: { LC_ALL: 'C.UTF-8' },
    limits: limits.writePdf,
    workload,
    signal,
    onLine,
  });
  assertProgramFinished(end, signal);
  return end;
}
