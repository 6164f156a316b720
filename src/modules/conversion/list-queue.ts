import { desc, eq, gte, inArray, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import type { ContentState } from './conversion.contract.ts';
import { contents } from './rendition.table.ts';

const SHOWN = 100;
const WINDOW_MINUTES = 10;

const columns = {
  id: contents.id,
  format: contents.format,
  size: contents.size,
  state: contents.state,
  reason: contents.reason,
  attempts: contents.attempts,
  pages: contents.pages,
  ready_pages: contents.ready_pages,
  updated_at: contents.updated_at,
};

/** How many there are in each state but the last. */
export async function countUnfinished(
  ctx: Context,
): Promise<Partial<Record<ContentState, number>>> {
  const { rows } = await ctx.db.execute<{ state: ContentState; total: number }>(
    sql`select state, count(*)::int as total from ${contents} where state <> 'ready' group by state`,
  );
  return Object.fromEntries(rows.map(({ state, total }) => [state, total]));
}

/** What is being converted, what waits and what failed; the newest first, bounded. */
export async function readQueue(ctx: Context) {
  const since = new Date(ctx.now().getTime() - WINDOW_MINUTES * 60_000).toISOString();
  const [totals, running, waiting, failed, finished] = await Promise.all([
    countUnfinished(ctx),
    list(ctx, inArray(contents.state, ['converting', 'readable'])),
    ctx.db
      .select(columns)
      .from(contents)
      .where(eq(contents.state, 'waiting'))
      .orderBy(contents.id)
      .limit(SHOWN),
    list(ctx, eq(contents.state, 'failed')),
    ctx.db
      .select({ total: sql<number>`count(*)::int` })
      .from(contents)
      .where(gte(contents.ready_at, since)),
  ]);
  return {
    totals,
    running,
    waiting,
    failed,
    per_minute: Math.round(((finished[0]?.total ?? 0) / WINDOW_MINUTES) * 10) / 10,
  };
}

const list = (ctx: Context, where: ReturnType<typeof eq>) =>
  ctx.db
    .select(columns)
    .from(contents)
    .where(where)
    .orderBy(desc(contents.updated_at))
    .limit(SHOWN);
