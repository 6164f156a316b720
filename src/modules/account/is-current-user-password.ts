import { eq } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { enforceRateLimit, undoAttempt } from '#platform/server/http/rate-limit.ts';
import { users } from './account.table.ts';
import { verifyPassword } from './password.ts';

const ATTEMPT_LIMIT = { max: 10, seconds: 15 * 60 };

/**
 * Checks the caller's password before a sensitive change, which an unattended session must not make. The attempt limit
 * keeps the holder of a stolen session from guessing the password.
 */
export async function isCurrentUserPassword(ctx: Context, password: string): Promise<boolean> {
  if (!ctx.user) return false;
  const key = `own-password:${ctx.user.id}`;
  await enforceRateLimit(ctx, key, ATTEMPT_LIMIT);
  const [row] = await ctx.db.select({ hash: users.password_hash }).from(users).where(eq(users.id, ctx.user.id));
  const isCorrect = await verifyPassword(row?.hash, password);
  if (isCorrect) await undoAttempt(ctx, key);
  return isCorrect;
}
