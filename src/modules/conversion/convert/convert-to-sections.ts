import type { Context } from '#platform/server/context.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { type Lease, pipelineVersion } from '../rendition.ts';
import { summarizeTextFile } from '../summarize-text-file.ts';
import type { ConversionTask } from './attempt.ts';
import { createConverterOutputStore } from './converter-output-store.ts';
import { prepareSheetPictures } from './prepare-sheet-pictures.ts';
import { runSandboxedTaskToEnd } from './run-sandboxed-converter.ts';
import { withOutputFile } from './sandbox-output-file.ts';
import { mobiToEpub, unpackChm } from './unpack-ebook.ts';

const tableFormats: readonly FileFormat[] = [
  ...(['xls', 'xlsx', 'xlsb', 'ods', 'fods'] as const),
  ...(['csv', 'tsv', 'htmltable', 'spreadsheetml'] as const),
];
const textFormats: readonly FileFormat[] = [
  ...(['txt', 'markdown', 'epub', 'fb2', 'mobi', 'chm', 'umd'] as const),
  ...(['html', 'eml', 'msg'] as const),
];
export const isSectionFormat = (format: FileFormat) => tableFormats.includes(format) || textFormats.includes(format);

/** Converts books, texts and tables into sections of text instead of page images. */
export async function convertToSections(ctx: Context, lease: Lease, task: ConversionTask): Promise<void> {
  const { workspace, limits, workload, signal } = task;
  const { folder } = workspace;
  const { format } = lease.rendition;
  const version = pipelineVersion(format);
  const isTable = tableFormats.includes(format);
  const source = await unpackEbookInput(format, { ...task, ...workspace });
  if (isTable) await prepareSheetPictures(ctx, lease, task);
  const store = createConverterOutputStore(ctx, { ...lease.rendition, version }, folder, signal);
  let sectionCount = 0;
  let storedSections = 0;
  await runSandboxedTaskToEnd({
    task: isTable ? 'sheet' : 'flow',
    input: source.input,
    folder,
    options: { format: source.format },
    limits: isTable ? limits.readWorkbook : limits.read,
    workload,
    signal,
    onEvent(event) {
      if (event.type === 'opened') sectionCount = event.pages;
      else if (event.type === 'page') store.section(event.page, () => storedSections++);
      else if (event.type === 'file') store.file(event.name);
      else if (event.type === 'cover') store.cover();
    },
  });
  store.meta();
  store.plainText();
  await store.settle();
  if (storedSections < sectionCount || sectionCount === 0)
    throw new Error(`${storedSections} of ${sectionCount} sections were converted`);
  await lease.change({
    state: 'ready',
    reason: '',
    view: isTable ? 'sheet' : 'flow',
    version,
    pages: sectionCount,
    ready_pages: sectionCount,
    ...(await withOutputFile(folder, 'text.txt', summarizeTextFile)),
    ready_at: ctx.now().toISOString(),
  });
}

async function unpackEbookInput(format: FileFormat, task: Parameters<typeof mobiToEpub>[0]) {
  if (format === 'mobi') return { input: await mobiToEpub(task), format: 'epub' };
  if (format === 'chm') return { input: await unpackChm(task), format: 'chm' };
  return { input: task.input, format };
}
