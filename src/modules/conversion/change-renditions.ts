import { asc, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { recordEvents } from '#platform/server/events/record-events.ts';
import { renditions, replacedRenditions } from './rendition.table.ts';

type RenditionValues = PgUpdateSetSource<typeof renditions>;

/** Columns whose changes other parts of the site follow. */
const { id, hash, format, state, version, pages, summary, language } = renditions;
const followedColumns = { state, version, pages, summary, language };

/**
 * Changes renditions and records what the documents have to follow; every change of a followed column goes through this
 * function. Returns the ids of the changed rows.
 */
export async function changeRenditions(
  ctx: Context,
  condition: SQL | undefined,
  change: RenditionValues,
): Promise<number[]> {
  if (!Object.keys(followedColumns).some((column) => column in change)) {
    const rows = await ctx.db.update(renditions).set(change).where(condition).returning({ id });
    return rows.map((row) => row.id);
  }
  return inTransaction(ctx, async (ctx) => {
    const rowsBefore = await ctx.db
      .select({ id, hash, format, ...followedColumns })
      .from(renditions)
      .where(condition)
      .orderBy(asc(id))
      .for('no key update');
    if (rowsBefore.length === 0) return [];
    const ids = rowsBefore.map((row) => row.id);
    const rowsAfter = await ctx.db
      .update(renditions)
      .set({ ...change, ...outdatedChange(change) })
      .where(inArray(id, ids))
      .returning({ id, ...followedColumns });
    const afterById = new Map(rowsAfter.map((row) => [row.id, row]));
    const changes = rowsBefore.flatMap((before) => {
      const after = afterById.get(before.id);
      return after ? [{ before, after }] : [];
    });
    await recordReplacedFiles(ctx, changes);
    await recordRenditionEvents(ctx, changes);
    return ids;
  });
}

/**
 * The end of a conversion replaces an outdated rendition. If it failed, the outdated pages are withdrawn, because they may
 * show what the current pipeline leaves out.
 */
function outdatedChange(change: RenditionValues): RenditionValues {
  const resetIfOutdated = (column: SQL, value: SQL) =>
    sql`case when ${renditions.is_outdated} then ${value} else ${column} end`;
  if (change.state === 'ready') return { is_outdated: false };
  if (change.state !== 'failed') return {};
  return {
    is_outdated: false,
    version: resetIfOutdated(sql`${version}`, sql`0`),
    pages: resetIfOutdated(sql`${pages}`, sql`0`),
    ready_pages: resetIfOutdated(sql`${renditions.ready_pages}`, sql`0`),
    text_size: resetIfOutdated(sql`${renditions.text_size}`, sql`0`),
    summary: resetIfOutdated(sql`${summary}`, sql`''`),
    ready_at: resetIfOutdated(sql`${renditions.ready_at}`, sql`null`),
  };
}

type FollowedRow = { id: number } & Pick<typeof renditions.$inferSelect, keyof typeof followedColumns>;
type RowChange = {
  before: FollowedRow & Pick<typeof renditions.$inferSelect, 'hash' | 'format'>;
  after: FollowedRow;
};

/** A job deletes the files of the replaced versions. */
async function recordReplacedFiles(ctx: Context, changes: RowChange[]): Promise<void> {
  const replacedRows = changes.filter(({ before, after }) => before.version > 0 && before.version !== after.version);
  if (replacedRows.length === 0) return;
  const replaced_at = ctx.now().toISOString();
  await ctx.db
    .insert(replacedRenditions)
    .values(replacedRows.map(({ before: { hash, format, version } }) => ({ hash, format, version, replaced_at })))
    .onConflictDoNothing();
}

async function recordRenditionEvents(ctx: Context, changes: RowChange[]): Promise<void> {
  const followedNames = Object.keys(followedColumns) as (keyof typeof followedColumns)[];
  const changedRows = changes.filter(({ before, after }) => followedNames.some((name) => before[name] !== after[name]));
  const rowsByType = Map.groupBy(changedRows, ({ before, after }) =>
    before.state === after.state ? 'changed' : after.state,
  );
  for (const [type, rows] of rowsByType)
    await recordEvents(
      ctx,
      'rendition',
      type,
      rows.map(({ after }) => after.id),
    );
}
