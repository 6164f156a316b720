import type { Context } from '#platform/server/context.ts';
import type { FileFormat } from '../conversion.contract.ts';
import { type Lease, pipelineVersion } from '../rendition.ts';
import { textStatistics } from '../text-statistics.ts';
import type { ConversionTask } from './attempt.ts';
import { withOutputFile } from './output-file.ts';
import { completeTask } from './run-sandboxed.ts';
import { pageStore } from './store-pages.ts';
import { mobiToEpub, unpackChm } from './unpack.ts';

const tables: readonly FileFormat[] = ['xls', 'xlsx', 'ods', 'csv', 'tsv', 'htmltable', 'spreadsheetml', 'fods'];
const books: readonly FileFormat[] = ['txt', 'epub', 'mobi', 'chm', 'umd', 'html'];
export const isSections = (format: FileFormat) => tables.includes(format) || books.includes(format);

/** Books, texts and tables: sections of text instead of pictures of pages. */
export async function convertToSections(ctx: Context, lease: Lease, task: ConversionTask): Promise<void> {
  const { workspace, limits, workload, signal } = task;
  const { folder } = workspace;
  const { format } = lease.content;
  const version = pipelineVersion(format);
  const isTable = tables.includes(format);
  const source = await sourceOf(format, { ...task, ...workspace });
  const store = pageStore(ctx, { ...lease.content, version }, folder, signal);
  let pages = 0;
  let stored = 0;
  await completeTask({
    task: isTable ? 'sheet' : 'flow',
    input: source.input,
    folder,
    options: { format: source.format },
    limits: limits.read,
    workload,
    signal,
    onEvent(event) {
      if (event.type === 'opened') pages = event.pages;
      else if (event.type === 'page') store.section(event.page, () => stored++);
      else if (event.type === 'file') store.file(event.name);
      else if (event.type === 'cover') store.cover();
    },
  });
  store.meta();
  store.plainText();
  await store.settle();
  if (stored < pages || pages === 0) throw new Error(`${stored} of ${pages} sections came`);
  await lease.change({
    state: 'ready',
    reason: '',
    view: isTable ? 'sheet' : 'flow',
    version,
    pages,
    ready_pages: pages,
    ...(await withOutputFile(folder, 'text.txt', textStatistics)),
    ready_at: ctx.now().toISOString(),
  });
}

/** What the workshop reads: the file itself, or what another program made of it. */
async function sourceOf(format: FileFormat, task: Parameters<typeof mobiToEpub>[0]) {
  if (format === 'mobi') return { input: await mobiToEpub(task), format: 'epub' };
  if (format === 'chm') return { input: await unpackChm(task), format: 'chm' };
  return { input: task.input, format };
}
