import { cp, mkdir, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '#platform/server/context.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import { withWorkFolder } from '#platform/server/storage/work-folder.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { conversionLimits } from './limits.ts';
import { type OfficeTask, pdfConvertToArgument, runLibreOffice } from './run-libreoffice.ts';
import { calibrateSlices } from './time-slice.ts';

/** Blocks external resources, macros and links. */
const PROFILE_SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>2</value></prop></item>
</oor:items>
`;

/**
 * Creates the profile that is copied for each document: documents share no state and skip the slow first start. Also
 * measures the speed of LibreOffice on this machine.
 */
export async function prepareOfficeProfile(ctx: Context, signal: AbortSignal): Promise<void> {
  try {
    const program = (await isSandboxAvailable()) ? await findProgram('soffice') : null;
    if (program) await createProfileTemplate(ctx, program, signal);
  } catch (error) {
    if (!signal.aborted) ctx.log.warn({ err: error }, 'could not prepare a LibreOffice profile');
  }
}

/** Writes the profile for one document. Without a template, its first start is slower. */
export async function writeLibreOfficeProfile(ctx: Context, program: string, folder: string): Promise<void> {
  const template = await templateFolder(ctx.config.dataDir, program);
  if (await exists(template)) await cp(template, path.join(folder, 'profile'), { recursive: true, force: true });
  else await writeProfileSettings(folder);
}

async function writeProfileSettings(folder: string): Promise<void> {
  const user = path.join(folder, 'profile', 'user');
  await mkdir(user, { recursive: true });
  await writeFile(path.join(user, 'registrymodifications.xcu'), PROFILE_SETTINGS);
}

async function templateFolder(dataDir: string, program: string): Promise<string> {
  const { mtimeMs } = await stat(program);
  return path.join(dataDir, 'cache', `office-profile-${Math.round(mtimeMs)}`);
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

async function createProfileTemplate(ctx: Context, program: string, signal: AbortSignal): Promise<void> {
  const { dataDir } = ctx.config;
  const limits = await conversionLimits(ctx);
  const template = await templateFolder(dataDir, program);
  await withWorkFolder(dataDir, async (folder) => {
    await writeProfileSettings(folder);
    const input = path.join(folder, 'empty.rtf');
    await writeFile(input, '{\\rtf1 empty}');
    const workload = new Workload(0);
    const task: OfficeTask = { input, folder, format: 'rtf', limits, workload, signal };
    const end = await runLibreOffice(program, task, pdfConvertToArgument(task));
    if (end.killedBy !== null || end.code !== 0) return;
    calibrateSlices(workload.cpuSeconds);
    if (await exists(template)) return;
    await mkdir(path.dirname(template), { recursive: true });
    // Another process may have created the template; the two are equal.
    await rename(path.join(folder, 'profile'), template).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  });
}
