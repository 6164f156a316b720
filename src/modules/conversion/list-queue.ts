import { desc, eq, gte, inArray, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import type { RenditionState } from './conversion.contract.ts';
import { renditions } from './rendition.table.ts';

const MAX_LISTED_DOCUMENTS = 100;
const RATE_WINDOW_MINUTES = 10;

const columns = {
  id: renditions.id,
  format: renditions.format,
  size: renditions.size,
  state: renditions.state,
  reason: renditions.reason,
  attempts: renditions.attempts,
  pages: renditions.pages,
  ready_pages: renditions.ready_pages,
  updated_at: renditions.updated_at,
};

/** Counts the documents in each state except "ready". */
export async function countUnfinishedConversions(ctx: Context): Promise<Partial<Record<RenditionState, number>>> {
  const { rows } = await ctx.db.execute<{ state: RenditionState; total: number }>(
    sql`select state, count(*)::int as total from ${renditions} where state <> 'ready' group by state`,
  );
  return Object.fromEntries(rows.map(({ state, total }) => [state, total]));
}

/** Lists running, waiting and failed conversions, the newest first. */
export async function listQueue(ctx: Context) {
  const since = new Date(ctx.now().getTime() - RATE_WINDOW_MINUTES * 60_000).toISOString();
  const [totals, runningRenditions, waitingRenditions, failedRenditions, finishedCounts] = await Promise.all([
    countUnfinishedConversions(ctx),
    listRenditions(ctx, inArray(renditions.state, ['converting', 'readable'])),
    ctx.db
      .select(columns)
      .from(renditions)
      .where(eq(renditions.state, 'waiting'))
      .orderBy(renditions.id)
      .limit(MAX_LISTED_DOCUMENTS),
    listRenditions(ctx, eq(renditions.state, 'failed')),
    ctx.db.select({ total: sql<number>`count(*)::int` }).from(renditions).where(gte(renditions.ready_at, since)),
  ]);
  return {
    totals,
    running: runningRenditions,
    waiting: waitingRenditions,
    failed: failedRenditions,
    per_minute: Math.round(((finishedCounts[0]?.total ?? 0) / RATE_WINDOW_MINUTES) * 10) / 10,
  };
}

const listRenditions = (ctx: Context, where: ReturnType<typeof eq>) =>
  ctx.db.select(columns).from(renditions).where(where).orderBy(desc(renditions.updated_at)).limit(MAX_LISTED_DOCUMENTS);
