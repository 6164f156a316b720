import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '#platform/server/context.ts';
import { Hopeless } from './failures.ts';
import { writeProfile } from './office-profile.ts';
import { refuseUnfinished, requireProgram } from './programs.ts';
import { type OfficeTask, runOffice } from './run-office.ts';

/** Where the PDF comes to lie in the work folder. */
export const OFFICE_PDF = 'office/document.pdf';

/** Turns an office document into a PDF; returns its path. Judged by its output, never by its exit code. */
export async function officeToPdf(ctx: Context, task: OfficeTask): Promise<string> {
  const program = await requireProgram('soffice', 'LibreOffice');
  await rm(path.join(task.folder, 'profile'), { recursive: true, force: true });
  await writeProfile(ctx, program, task.folder);
  const file = path.join(task.folder, OFFICE_PDF);
  await rm(path.dirname(file), { recursive: true, force: true });
  const end = await runOffice(program, task);
  const output = await stat(file).catch(() => null);
  if (output && output.size > 0 && end.killedBy === null) return file;
  refuseUnfinished(end, task.signal);
  throw new Hopeless('文档已损坏，无法打开');
}
