import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '#platform/server/context.ts';
import { PermanentConversionError } from './conversion-errors.ts';
import { hasTrackedChanges } from './has-tracked-changes.ts';
import { writeLibreOfficeProfile } from './libreoffice-profile.ts';
import { rejectEncryptedFileOrZipBomb } from './reject-encrypted-file-or-zip-bomb.ts';
import { assertProgramFinished, requireProgram } from './require-program.ts';
import {
  isSlidesFormat,
  type OfficeTask,
  pdfConvertToArgument,
  runLibreOffice,
  XLSX_CONVERT_TO_ARGUMENT,
} from './run-libreoffice.ts';
import { runSandboxedTaskToEnd } from './run-sandboxed-converter.ts';
import { rejectLinkedInput } from './sandbox-output-file.ts';

/** Path of the PDF in the work folder. */
export const OFFICE_PDF = 'office/document.pdf';

/** Returns the path of the PDF. */
export const officeToPdf = (ctx: Context, task: OfficeTask): Promise<string> =>
  convertWithLibreOffice(ctx, task, pdfConvertToArgument(task));

/** Returns the path of a copy of a workbook. */
export const copyWorkbookAsXlsx = (ctx: Context, task: OfficeTask): Promise<string> =>
  convertWithLibreOffice(ctx, task, XLSX_CONVERT_TO_ARGUMENT);

/**
 * Accepts the tracked changes of a document, because LibreOffice also prints deleted text. A document without tracked
 * changes is returned unchanged.
 */
export async function acceptOfficeTrackedChanges(ctx: Context, task: OfficeTask): Promise<OfficeTask> {
  if (task.format === 'wordml') return cleanWordMl(task);
  if (task.format === 'flatopc') return acceptOfficeTrackedChanges(ctx, await unpackToDocx(task));
  if (!(await hasTrackedChanges(task.input, task.format))) return task;
  const source = task.format === 'docx' ? await removeDeletedTableRowsInSandbox(task) : task;
  const odtWithChanges = await convertWithLibreOffice(ctx, source, 'odt:writer8');
  await rewriteInSandbox('accept-changes', { ...task, input: odtWithChanges });
  return { ...task, input: path.join(task.folder, 'final.odt'), format: 'odt' };
}

/** LibreOffice prints the hidden text of Word 2003 XML and drops its inserted text. */
async function cleanWordMl(task: OfficeTask): Promise<OfficeTask> {
  await rewriteInSandbox('clean-wordml', task);
  return { ...task, input: path.join(task.folder, 'final.xml') };
}

async function unpackToDocx(task: OfficeTask): Promise<OfficeTask> {
  await rewriteInSandbox('unpack-flat-opc', task);
  const input = path.join(task.folder, 'unpacked.docx');
  await rejectLinkedInput(task.folder, input);
  await rejectEncryptedFileOrZipBomb(input, 'docx');
  return { ...task, input, format: 'docx' };
}

/** Removes deleted table rows before LibreOffice reads the document, because it prints their text. */
async function removeDeletedTableRowsInSandbox(task: OfficeTask): Promise<OfficeTask> {
  await rewriteInSandbox('remove-deleted-rows', task);
  const isRewritten = (await readdir(task.folder)).includes('rows.docx');
  return isRewritten ? { ...task, input: path.join(task.folder, 'rows.docx') } : task;
}

const rewriteInSandbox = (
  name: 'remove-deleted-rows' | 'accept-changes' | 'clean-wordml' | 'unpack-flat-opc',
  { input, folder, limits, workload, signal }: OfficeTask,
) =>
  runSandboxedTaskToEnd({
    task: name,
    input,
    folder,
    options: {},
    limits: limits.read,
    workload,
    signal,
    onEvent: () => {},
  });

/** Returns the path of the output. LibreOffice has succeeded if the file exists and is not empty. */
async function convertWithLibreOffice(ctx: Context, task: OfficeTask, target: string): Promise<string> {
  const program = await requireProgram('soffice', 'LibreOffice');
  await rm(path.join(task.folder, 'profile'), { recursive: true, force: true });
  await writeLibreOfficeProfile(ctx, program, task.folder);
  const extension = target.slice(0, target.indexOf(':'));
  const file = path.join(task.folder, 'office', `document.${extension}`);
  await rm(path.dirname(file), { recursive: true, force: true });
  const end = await runLibreOffice(program, task, target);
  const output = await stat(file).catch(() => null);
  if (output && output.size > 0 && end.killedBy === null) return file;
  assertProgramFinished(end, task.signal);
  throw new PermanentConversionError(
    /impl_store/.test(end.stderrTail) && isSlidesFormat(task.format)
      ? '演示文稿没有可以显示的幻灯片，可能全部被隐藏。请取消隐藏后重新上传'
      : '文档已损坏，无法打开',
  );
}
