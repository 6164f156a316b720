import { and, desc, eq, gt, inArray } from 'drizzle-orm';
import type { UserContext } from '#platform/server/context.ts';
import { endSessions } from './session.ts';
import { sessions } from './user.table.ts';

export async function listDevices(ctx: UserContext) {
  const rows = await ctx.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, ctx.user.id), gt(sessions.expires_at, ctx.now().toISOString())))
    .orderBy(desc(sessions.last_seen_at))
    .limit(100);
  return { session: rows.map((row) => ({ ...row, current: row.id === ctx.user.sessionId })) };
}

/** Ids of somebody else's sessions are simply not there. */
export async function endDevices(ctx: UserContext, { id }: { id: number[] }) {
  await ctx.db
    .delete(sessions)
    .where(and(inArray(sessions.id, id), eq(sessions.user_id, ctx.user.id)));
  return {};
}

export async function endAllDevices(ctx: UserContext) {
  await endSessions(ctx, ctx.user.id);
  return {};
}
