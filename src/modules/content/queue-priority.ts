import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { contents } from './content.table.ts';

/** Somebody is looking at it right now. */
export const URGENT = 1_000_000;
/** Who has more than this waiting can wait: counting them would cost more than their order is worth. */
const MANY = 1_000;

/**
 * Each person's documents queue behind their own: the tenth of one comes after the first of another,
 * however many were sent first.
 */
export async function queuePriority(ctx: Context, contentId: number): Promise<number> {
  const { rows } = await ctx.db.execute<{ ahead: number }>(sql`
    select count(*)::int as ahead from (
      select 1 from ${contents} other
      join ${contents} mine on mine.id = ${contentId}
      where other.user_id is not distinct from mine.user_id
        and other.state in ('waiting', 'converting') and other.id < mine.id
      limit ${MANY}) as queue`);
  return -(rows[0]?.ahead ?? 0);
}
