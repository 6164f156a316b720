import type { SandboxLimits } from '#platform/server/sandbox/sandbox-task.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { type ReplacedFont, replacedFonts } from '../replaced-font.contract.ts';
import type { ConverterEvent } from '../sandboxed/events.ts';
import { decodeHeic, decodeHeicPages } from './decode-heic.ts';
import { drawDjvuPages } from './draw-djvu-pages.ts';
import { repackArchive } from './repack-archive.ts';
import { runSandboxedTaskToEnd } from './run-sandboxed-converter.ts';
import { readOutputFile } from './sandbox-output-file.ts';
import type { WritePdfTask } from './write-pdf-task.ts';
import { xpsToPdf } from './xps-to-pdf.ts';

/** Name of the PDF in the work folder. */
const PAGES_PDF = 'pages.pdf';

type WrittenPdf = {
  /** Name in the work folder. */
  name: string;
  replacedFonts: ReplacedFont[];
};
type SandboxedWriter = 'images' | 'comic' | 'djvu' | 'ofd';

/** Writes a PDF with the pages of a document. */
export async function writeDocumentPdf(format: FileFormat, task: WritePdfTask): Promise<WrittenPdf> {
  if (format === 'xps') return { name: await xpsToPdf(task), replacedFonts: [] };
  const { file: input, writer } = await prepareInput(format, task);
  const writeTask = { ...task, input };
  if (writer === 'comic') await writeComic(writeTask);
  else await writePdfInSandbox(writer, writeTask, format === 'ofd' ? task.limits.writeOfd : task.limits.writePdf);
  return { name: PAGES_PDF, replacedFonts: format === 'ofd' ? await readReplacedFonts(task.folder) : [] };
}

async function prepareInput(
  format: FileFormat,
  task: WritePdfTask,
): Promise<{ file: string; writer: SandboxedWriter }> {
  if (format === 'heic') return { file: await decodeHeic(task), writer: 'images' };
  if (format === 'djvu') return { file: await drawDjvuPages(task), writer: 'djvu' };
  if (format === 'cbr' || format === 'cb7') return repackArchive(format, task);
  return { file: task.input, writer: format === 'ofd' ? 'ofd' : format === 'cbz' ? 'comic' : 'images' };
}

const readReplacedFonts = async (folder: string): Promise<ReplacedFont[]> =>
  replacedFonts.parse(JSON.parse((await readOutputFile(folder, 'fonts.json')).toString('utf8')));

async function writeComic(task: WritePdfTask): Promise<void> {
  let isHeicExtracted = false;
  const write = (isHeicDecoded: boolean) =>
    writePdfInSandbox('comic', task, task.limits.writePdf, { isHeicDecoded }, ({ type }) => {
      isHeicExtracted ||= type === 'heic-extracted';
    });
  await write(false);
  if (!isHeicExtracted) return;
  await decodeHeicPages(task);
  await write(true);
}

const writePdfInSandbox = (
  task: SandboxedWriter,
  { input, folder, workload, signal }: WritePdfTask,
  limits: SandboxLimits,
  options: Record<string, unknown> = {},
  onEvent: (event: ConverterEvent) => void = () => {},
): Promise<void> => runSandboxedTaskToEnd({ task, input, folder, options, limits, workload, signal, onEvent });
