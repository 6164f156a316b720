import * as z from 'zod/mini';
import type { Context } from '#platform/server/context.ts';
import type { SandboxLimits } from '#platform/server/sandbox/sandbox-task.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import { runSandboxedTaskToEnd } from '../convert/run-sandboxed-converter.ts';
import { withOutputFile } from '../convert/sandbox-output-file.ts';
import type { Workspace } from '../convert/workspace.ts';
import type { Rendition } from '../rendition.ts';
import { renditionStorageKeys } from '../rendition-keys.ts';
import { renditionMeta } from '../rendition-meta.ts';

const pageNumbers = z.array(z.int().check(z.gte(1), z.lte(1_000_000)));

type ScannedFile = {
  rendition: Rendition;
  workspace: Workspace;
  signal: AbortSignal;
  limits: SandboxLimits;
  nice: number;
};

/** Pages whose text has to be recognized. Conversions before this was stored are examined now. */
export async function findScannedPages(
  ctx: Context,
  { rendition, workspace, signal, limits, nice }: ScannedFile,
): Promise<number[]> {
  const meta = renditionMeta.parse(
    JSON.parse((await ctx.storage.read(renditionStorageKeys(rendition).meta)).toString()),
  );
  if (meta.scannedPages) return meta.scannedPages;
  await runSandboxedTaskToEnd({
    task: 'find-scanned-pages',
    input: workspace.input,
    folder: workspace.folder,
    options: {},
    limits,
    workload: new Workload(nice),
    signal,
    onEvent: () => {},
  });
  const pages = await withOutputFile(workspace.folder, 'scanned-pages.json', async (file) =>
    pageNumbers.parse(JSON.parse(await file.readFile('utf8'))),
  );
  return pages.filter((page) => page <= rendition.pages);
}
