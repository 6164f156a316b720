import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import { MAX_PAGES } from '../page-name.ts';
import { rejectionError } from './conversion-errors.ts';
import { assertProgramFinished, requireProgram } from './require-program.ts';
import type { WritePdfTask } from './write-pdf-task.ts';

const MAX_PIXELS = 150_000_000;
/** Larger pages are drawn smaller: they show no more. */
const MAX_DRAWN_PIXELS = 16_000_000;
const MAX_SUBSAMPLE = 12;
const JPEG_QUALITY = 85;
const DOCUMENT = '/in/document.djvu';
/** What djvused prints into each file. */
const PRINTED_FILES = { 'text.dsed': 'output-txt', 'outline.dsed': 'print-outline', 'pages.txt': 'ls' };
const INCOMPLETE = /end of file/i;

/**
 * Draws the pages of a DjVu document into a TIFF file and returns its path. If a page is damaged, each page has a file of its
 * own, which is empty for the damaged one, and the path of the folder is returned. The text of the pages and the contents
 * are written beside it, for `writeDjvuPdf`.
 */
export async function drawDjvuPages(task: WritePdfTask): Promise<string> {
  const program = await requireProgram('ddjvu', 'DjVuLibre');
  const reader = await requireProgram('djvused', 'DjVuLibre');
  const { pages, maxPixels } = await readPageSizes(task, reader);
  // The folder and the file have fixed names: no text of the document is part of the command.
  const commands = Object.entries(PRINTED_FILES).map(
    ([name, command]) => `'${reader}' -u -e ${command} ${DOCUMENT} > /work/${name}`,
  );
  await runDjvuProgram(task, '/bin/sh', ['-c', commands.join(';')]);
  const subsample = Math.min(MAX_SUBSAMPLE, Math.max(1, Math.ceil(Math.sqrt(maxPixels / MAX_DRAWN_PIXELS))));
  const options = ['-format=tiff', `-quality=${JPEG_QUALITY}`, `-subsample=${subsample}`];
  const { code, stderrTail } = await runDjvuProgram(task, program, [...options, DOCUMENT, '/work/pages.tif']);
  if (code === 0) return path.join(task.folder, 'pages.tif');
  if (pages === 1) throw rejectionError(INCOMPLETE.test(stderrTail) ? 'incomplete' : 'damaged');
  return drawPagesApart(task, [program, ...options], pages);
}

/** The program stops at a damaged page, so that each page is drawn by a process of its own. */
async function drawPagesApart(task: WritePdfTask, command: string[], pages: number): Promise<string> {
  await mkdir(path.join(task.folder, 'pages'));
  const draw = [...command, '-page=$page', DOCUMENT, '$file'].map((part) => `"${part}"`).join(' ');
  const loop = `page=0
    while [ $page -lt ${pages} ]; do
      page=$((page + 1)); file=/work/pages/$page.tif
      ${draw} 2>/dev/null || : >"$file"
      echo $page
    done`;
  await runDjvuProgram(task, '/bin/sh', ['-c', loop], () => {});
  return path.join(task.folder, 'pages');
}

/** Returns the number of pages, and of the pixels of the largest page, as declared. */
async function readPageSizes(task: WritePdfTask, reader: string) {
  let [pages, maxPixels] = [0, 0];
  const end = await runDjvuProgram(task, reader, ['-e', 'size', DOCUMENT], (line) => {
    const [, width, height] = /^width=(\d+) height=(\d+)/.exec(line) ?? [];
    if (width === undefined) return;
    pages++;
    maxPixels = Math.max(maxPixels, Number(width) * Number(height));
  });
  if (pages === 0) throw rejectionError(INCOMPLETE.test(end.stderrTail) ? 'incomplete' : 'damaged');
  if (pages > MAX_PAGES || maxPixels > MAX_PIXELS) throw rejectionError('tooLarge');
  return { pages, maxPixels };
}

async function runDjvuProgram(
  { input, folder, limits, workload, signal }: WritePdfTask,
  command: string,
  args: string[],
  onLine?: (line: string) => void,
) {
  const end = await runIsolatedProgram({
    command,
    args,
    workFolder: folder,
    readOnlyMounts: [{ from: input, to: DOCUMENT }],
    limits: { ...limits.writePdf, stallCpuSeconds: limits.read.cpuSeconds },
    workload,
    signal,
    ...(onLine && { onLine }),
  });
  assertProgramFinished(end, signal);
  return end;
}
