import { and, asc, eq, gt, ne, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs.ts';
import { findProgram } from '#platform/server/programs.ts';
import { canIsolate } from '#platform/server/sandbox/isolation.ts';
import { removeAbandonedFolders } from '#platform/server/work-folder.ts';
import { contents } from './content.table.ts';
import { askForConversion } from './register-content.ts';

const BATCH = 500;
const programs: [reason: string, isThere: () => Promise<boolean>][] = [
  ['LibreOffice', async () => (await canIsolate()) && (await findProgram('soffice')) !== null],
  ['calibre', async () => (await canIsolate()) && (await findProgram('ebook-convert')) !== null],
  ['7z', async () => (await canIsolate()) && (await findProgram('7z')) !== null],
  ['bubblewrap', canIsolate],
];

/** Contents that waited for a program go on once it is there; leftovers of dead processes go. */
export const resumeWaiting = defineJob({
  name: 'resume-waiting',
  input: z.object({}),
  run: async (ctx: Context) => {
    await removeAbandonedFolders(ctx.config.dataDir);
    for (const [name, isThere] of programs) if (await isThere()) await resume(ctx, name);
  },
});

async function resume(ctx: Context, program: string): Promise<void> {
  for (let last = 0; ; ) {
    const batch = await ctx.db
      .select({ id: contents.id })
      .from(contents)
      .where(
        and(
          ...[eq(contents.state, 'waiting'), ne(contents.reason, ''), gt(contents.id, last)],
          sql`strpos(${contents.reason}, ${program}) > 0`,
        ),
      )
      .orderBy(asc(contents.id))
      .limit(BATCH);
    for (const { id } of batch) await askForConversion(ctx, id);
    last = batch.at(-1)?.id ?? 0;
    if (batch.length < BATCH) return;
  }
}
