import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { removeAbandonedFolders } from '#platform/server/storage/work-folder.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { CONVERSION_QUEUE } from './conversion-queue.ts';
import { renditions } from './rendition.table.ts';

const programs: [reason: string, isInstalled: () => Promise<boolean>][] = [
  ['LibreOffice', async () => (await isSandboxAvailable()) && (await findProgram('soffice')) !== null],
  ['calibre', async () => (await isSandboxAvailable()) && (await findProgram('ebook-convert')) !== null],
  ['7z', async () => (await isSandboxAvailable()) && (await findProgram('7z')) !== null],
  ['libheif', async () => (await isSandboxAvailable()) && (await findProgram('heif-convert')) !== null],
  ['bsdtar', async () => (await isSandboxAvailable()) && (await findProgram('bsdtar')) !== null],
  ['MuPDF', async () => (await isSandboxAvailable()) && (await findProgram('mutool')) !== null],
  ['DjVuLibre', async () => (await isSandboxAvailable()) && (await findProgram('ddjvu')) !== null],
  ['bubblewrap', isSandboxAvailable],
];

/** Queues documents whose missing program is installed now; removes work folders of dead processes. */
export const requeueAfterProgramInstall = defineJob({
  name: 'requeue-waiting-conversions',
  input: z.object({}),
  run: async (ctx: Context) => {
    await removeAbandonedFolders(ctx.config.dataDir);
    for (const [name, isInstalled] of programs) if (await isInstalled()) await requeueWaitingForProgram(ctx, name);
  },
});

async function requeueWaitingForProgram(ctx: Context, program: string): Promise<void> {
  const rows = await ctx.db
    .update(renditions)
    .set({ convert_after: sql`now()`, reason: '' })
    .where(
      and(
        eq(renditions.state, 'waiting'),
        isNull(renditions.convert_after),
        ne(renditions.reason, ''),
        sql`strpos(${renditions.reason}, ${program}) > 0`,
      ),
    )
    .returning({ id: renditions.id });
  if (rows.length > 0) await notifyInvalidation(ctx.db, CONVERSION_QUEUE);
}
