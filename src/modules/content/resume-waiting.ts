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
const LOST_WAITING_MINUTES = 15;
/** One that waits for the slow lane may wait long; its job has no key. */
const LOST_RUNNING_MINUTES = 60;
const programs: [reason: string, isThere: () => Promise<boolean>][] = [
  ['LibreOffice', async () => (await canIsolate()) && (await findProgram('soffice')) !== null],
  ['calibre', async () => (await canIsolate()) && (await findProgram('ebook-convert')) !== null],
  ['7z', async () => (await canIsolate()) && (await findProgram('7z')) !== null],
  ['bubblewrap', canIsolate],
];

/**
 * Contents that waited for a program go on once it is there, and those whose job was lost; leftovers
 * of dead processes go.
 */
export const resumeWaiting = defineJob({
  name: 'resume-waiting',
  input: z.object({}),
  run: async (ctx: Context) => {
    await removeAbandonedFolders(ctx.config.dataDir);
    for (const [name, isThere] of programs) if (await isThere()) await resume(ctx, name);
    await askForLost(ctx);
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

/**
 * Jobs expire, and a backup has none. What nobody has touched for long is asked for again; where its
 * job is there after all, the job's key prevents a second one.
 */
async function askForLost(ctx: Context): Promise<void> {
  const { rows } = await ctx.db.execute<{ id: string }>(sql`
    update ${contents} set updated_at = now() where id in (
      select id from ${contents}
      where (lease_until is null or lease_until < now())
        and ((state = 'waiting' and reason = ''
            and updated_at < now() - make_interval(mins => ${LOST_WAITING_MINUTES}))
          or (state in ('converting', 'readable')
            and updated_at < now() - make_interval(mins => ${LOST_RUNNING_MINUTES})))
      order by updated_at limit ${BATCH} for update skip locked)
    returning id`);
  for (const { id } of rows) await askForConversion(ctx, Number(id));
}
