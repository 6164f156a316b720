import { cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '#platform/server/context.ts';
import { runIsolated } from '#platform/server/sandbox/sandbox.ts';
import type { SandboxEnd } from '#platform/server/sandbox/task.ts';
import { withWorkFolder } from '#platform/server/work-folder.ts';
import type { ContentFormat } from '../content.contract.ts';
import { Hopeless } from './failures.ts';
import { type Lane, niceness, officeLimits } from './lane.ts';
import { refuseUnfinished, requireProgram } from './programs.ts';
import { fonts } from './run-workshop.ts';

/** The filter is named, so that the program never guesses what a file might be. */
const filters: Partial<Record<ContentFormat, { input: string | null; output: string }>> = {
  doc: { input: 'MS Word 97', output: 'writer_pdf_Export' },
  docx: { input: 'MS Word 2007 XML', output: 'writer_pdf_Export' },
  rtf: { input: 'Rich Text Format', output: 'writer_pdf_Export' },
  odt: { input: 'writer8', output: 'writer_pdf_Export' },
  // Works files of many years; the program tells them apart.
  wps: { input: null, output: 'writer_pdf_Export' },
  ppt: { input: 'MS PowerPoint 97', output: 'impress_pdf_Export' },
  pptx: { input: 'Impress MS PowerPoint 2007 XML', output: 'impress_pdf_Export' },
  odp: { input: 'impress8', output: 'impress_pdf_Export' },
};
export const isOffice = (format: ContentFormat) => format in filters;

/** Where the PDF comes to lie in the work folder. */
export const OFFICE_PDF = 'office/document.pdf';

type OfficeTask = {
  input: string;
  /** Where programs may write; the PDF comes to lie in it. */
  folder: string;
  format: ContentFormat;
  lane: Lane;
  signal: AbortSignal;
  /** Only these pages, e.g. "1-3". */
  pages?: string;
};

/** Turns an office document into a PDF; returns its path. Judged by its output, never by its exit code. */
export async function officeToPdf(ctx: Context, task: OfficeTask): Promise<string> {
  const program = await requireProgram('soffice', 'LibreOffice');
  await copyProfile(ctx, program, task.folder);
  const file = path.join(task.folder, OFFICE_PDF);
  await rm(path.dirname(file), { recursive: true, force: true });
  const end = await run(program, task);
  const made = await stat(file).catch(() => null);
  if (made && made.size > 0 && end.killedBy === null) return file;
  refuseUnfinished(end, task.signal);
  throw new Hopeless('文档已损坏，无法打开');
}

function run(
  program: string,
  { input, folder, format, lane, signal, pages }: OfficeTask,
): Promise<SandboxEnd> {
  const { input: filter, output } = filters[format] ?? { input: null, output: 'writer_pdf_Export' };
  const options = pages
    ? `:${JSON.stringify({ PageRange: { type: 'string', value: pages } })}`
    : '';
  return runIsolated({
    command: program,
    args: [
      ...['--headless', '--norestore', '--nolockcheck', '--nodefault', '--nofirststartwizard'],
      '-env:UserInstallation=file:///work/profile',
      ...(filter ? [`--infilter=${filter}`] : []),
      ...[
        '--convert-to',
        `pdf:${output}${options}`,
        '--outdir',
        '/work/office',
        `/in/document.${format}`,
      ],
    ],
    workFolder: folder,
    reads: [{ from: input, to: `/in/document.${format}` }, ...fonts.reads],
    env: { ...fonts.env, SAL_USE_VCLPLUGIN: 'svp' },
    limits: officeLimits(lane),
    nice: niceness(lane),
    signal,
  });
}

/** Nothing from outside is loaded, no macro runs, no link is followed. */
const PROFILE_SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>2</value></prop></item>
</oor:items>
`;

const templates = new Map<string, Promise<string>>();

/** A profile made once is copied for each document: they share nothing, and none waits for a first start. */
async function copyProfile(ctx: Context, program: string, folder: string): Promise<void> {
  const { dataDir } = ctx.config;
  const making =
    templates.get(dataDir) ??
    profileTemplate(dataDir, program).catch((error) => {
      templates.delete(dataDir);
      throw error;
    });
  templates.set(dataDir, making);
  const template = await making;
  const profile = path.join(folder, 'profile');
  await rm(profile, { recursive: true, force: true });
  await cp(template, profile, { recursive: true });
}

async function profileTemplate(dataDir: string, program: string): Promise<string> {
  const { mtimeMs } = await stat(program);
  const template = path.join(dataDir, 'cache', `office-profile-${Math.round(mtimeMs)}`);
  const exists = await stat(template).then(
    () => true,
    () => false,
  );
  if (exists) return template;
  await withWorkFolder(dataDir, async (folder) => {
    await mkdir(path.join(folder, 'profile', 'user'), { recursive: true });
    await writeFile(
      path.join(folder, 'profile', 'user', 'registrymodifications.xcu'),
      PROFILE_SETTINGS,
    );
    const input = path.join(folder, 'first.rtf');
    await writeFile(input, '{\\rtf1 first}');
    const signal = new AbortController().signal;
    await run(program, { input, folder, format: 'rtf', lane: 'slow', signal });
    await mkdir(path.dirname(template), { recursive: true });
    // Another process may have been faster; one profile is as good as the other.
    await rename(path.join(folder, 'profile'), template).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  });
  return template;
}
