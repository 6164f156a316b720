import { runIsolatedProgram } from '#platform/server/sandbox/run-isolated-program.ts';
import type { SandboxResult } from '#platform/server/sandbox/sandbox-task.ts';
import type { Workload } from '#platform/server/sandbox/workload.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { FONT_REQUEST_LOG } from './collect-replaced-fonts.ts';
import type { ConversionLimits } from './limits.ts';
import { fontSandboxOptions } from './run-sandboxed-converter.ts';
import { rejectLinkedInput } from './sandbox-output-file.ts';

/** An explicit filter keeps LibreOffice from guessing the file type. */
const filters: Partial<Record<FileFormat, { input: string | null; output: string }>> = {
  doc: { input: 'MS Word 97', output: 'writer_pdf_Export' },
  docx: { input: 'MS Word 2007 XML', output: 'writer_pdf_Export' },
  rtf: { input: 'Rich Text Format', output: 'writer_pdf_Export' },
  odt: { input: 'writer8', output: 'writer_pdf_Export' },
  wordml: { input: 'MS Word 2003 XML', output: 'writer_pdf_Export' },
  // Unpacked to docx first.
  flatopc: { input: 'MS Word 2007 XML', output: 'writer_pdf_Export' },
  fodt: { input: 'OpenDocument Text Flat XML', output: 'writer_pdf_Export' },
  // LibreOffice distinguishes the versions of Works.
  wps: { input: null, output: 'writer_pdf_Export' },
  ppt: { input: 'MS PowerPoint 97', output: 'impress_pdf_Export' },
  pptx: { input: 'Impress MS PowerPoint 2007 XML', output: 'impress_pdf_Export' },
  odp: { input: 'impress8', output: 'impress_pdf_Export' },
  fodp: { input: 'OpenDocument Presentation Flat XML', output: 'impress_pdf_Export' },
};
/** Workbooks are not printed; LibreOffice only copies them into another format. */
const workbookFilters: Partial<Record<FileFormat, string>> = {
  xls: 'MS Excel 97',
  xlsx: 'Calc MS Excel 2007 XML',
  ods: 'calc8',
  fods: 'OpenDocument Spreadsheet Flat XML',
};
export const isOfficeFormat = (format: FileFormat) => format in filters;

export type OfficeTask = {
  input: string;
  /** Programs write here, also the PDF. */
  folder: string;
  format: FileFormat;
  limits: ConversionLimits;
  workload: Workload;
  signal: AbortSignal;
  /** Page range, e.g. "1-3". */
  pages?: string;
  /** Receives the output of LibreOffice with the fonts that it requests. */
  onLine?: (line: string) => void;
};

export const isSlidesFormat = (format: FileFormat) => filters[format]?.output === 'impress_pdf_Export';

/** Set explicitly, because the defaults of LibreOffice may change. */
const pdfOptions = {
  ExportNotes: false,
  ExportNotesPages: false,
  ExportNotesInMargin: false,
  ExportHiddenSlides: false,
  ExportPlaceholders: false,
};

export function pdfConvertToArgument({ format, pages }: Pick<OfficeTask, 'format' | 'pages'>): string {
  const filter = filters[format]?.output ?? 'writer_pdf_Export';
  const options = Object.entries(pdfOptions).map(([name, value]) => [name, { type: 'boolean', value: String(value) }]);
  const range = pages ? { PageRange: { type: 'string', value: pages } } : {};
  return `pdf:${filter}:${JSON.stringify({ ...Object.fromEntries(options), ...range })}`;
}

export const XLSX_CONVERT_TO_ARGUMENT = `xlsx:${workbookFilters.xlsx}`;

/** Writes the output into the folder `office`. */
export async function runLibreOffice(
  program: string,
  { input, folder, format, limits, workload, signal, onLine }: OfficeTask,
  target: string,
): Promise<SandboxResult> {
  const filter = filters[format]?.input ?? workbookFilters[format];
  await rejectLinkedInput(folder, input);
  const fonts = fontSandboxOptions();
  return runIsolatedProgram({
    command: program,
    args: [
      ...['--headless', '--norestore', '--nolockcheck', '--nodefault', '--nofirststartwizard'],
      '-env:UserInstallation=file:///work/profile',
      ...(filter ? [`--infilter=${filter}`] : []),
      ...['--convert-to', target, '--outdir', '/work/office', `/in/document.${format}`],
    ],
    workFolder: folder,
    readOnlyMounts: [{ from: input, to: `/in/document.${format}` }, ...fonts.reads],
    env: { ...fonts.env, SAL_USE_VCLPLUGIN: 'svp', ...(onLine && FONT_REQUEST_LOG) },
    limits: limits.office,
    workload,
    signal,
    ...(onLine && { onLine }),
  });
}
