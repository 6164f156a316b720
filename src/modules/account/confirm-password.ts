import { eq } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { countAttempt, forgiveAttempt } from '#platform/server/http/rate-limit.ts';
import { users } from './account.table.ts';
import { verifyPassword } from './password.ts';

const ATTEMPT_LIMIT = { max: 10, seconds: 15 * 60 };

/**
 * Whether this is the caller's own password; asked before what must not happen at a left desk.
 * A stolen session cannot be used to guess it.
 */
export async function isCurrentUserPassword(ctx: Context, password: string): Promise<boolean> {
  if (!ctx.user) return false;
  const key = `own-password:${ctx.user.id}`;
  await countAttempt(ctx, key, ATTEMPT_LIMIT);
  const [row] = await ctx.db.select({ hash: users.password_hash }).from(users).where(eq(users.id, ctx.user.id));
  const isRight = await verifyPassword(row?.hash, password);
  if (isRight) await forgiveAttempt(ctx, key);
  return isRight;
}
