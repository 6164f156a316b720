import { eq } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { enforceRateLimit, undoAttempt } from '#platform/server/http/rate-limit.ts';
import { users } from './account.table.ts';
import { verifyPassword } from './password.ts';

const TRIES = { max: 10, seconds: 15 * 60 };

/**
 * Whether this is the caller's own password; asked before what must not happen at a left desk.
 * A stolen session cannot be used to guess it.
 */
export async function isCurrentUserPassword(ctx: Context, password: string): Promise<boolean> {
  if (!ctx.user) return false;
  const key = `own-password:${ctx.user.id}`;
  await enforceRateLimit(ctx, key, TRIES);
  const [row] = await ctx.db.select({ hash: users.password_hash }).from(users).where(eq(users.id, ctx.user.id));
  const isRight = await verifyPassword(row?.hash, password);
  if (isRight) await undoAttempt(ctx, key);
  return isRight;
}
