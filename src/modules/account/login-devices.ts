import { and, desc, eq, gt, inArray } from 'drizzle-orm';
import { httpErrors } from '#platform/contract/errors.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { sessions } from './account.table.ts';
import { endSessions } from './session.ts';

export async function listDevices(ctx: UserContext) {
  const rows = await ctx.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, ctx.user.id), gt(sessions.expires_at, ctx.now().toISOString())))
    .orderBy(desc(sessions.last_seen_at))
    .limit(100);
  return { session: rows.map((row) => ({ ...row, current: row.id === ctx.user.sessionId })) };
}

/** Ends all of these sessions, or none when one of the ids does not belong to the caller. */
export async function endDevices(ctx: UserContext, { id }: { id: number[] }) {
  await inTransaction(ctx, async (ctx) => {
    const endedSessions = await ctx.db
      .delete(sessions)
      .where(and(inArray(sessions.id, id), eq(sessions.user_id, ctx.user.id)))
      .returning({ id: sessions.id });
    if (endedSessions.length < new Set(id).size) throw httpErrors.notFound('设备不存在或已退出登录');
  });
  return {};
}

export async function endAllDevices(ctx: UserContext) {
  await endSessions(ctx, ctx.user.id);
  return {};
}
