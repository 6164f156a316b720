import { eq, sql } from 'drizzle-orm';
import { checkCaptcha } from '#modules/captcha/captcha.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { addressKey, countAttempt, forgiveAttempt } from '#platform/server/rate-limit.ts';
import { verifyPassword } from './password.ts';
import { endSession, openSession } from './session.ts';
import { checkSecondFactor } from './totp.ts';
import { userErrors } from './user.contract.ts';
import { users } from './user.table.ts';

type LoginInput = {
  username: string;
  password: string;
  code?: string;
  captcha?: string;
  captcha_id?: string;
};

const WINDOW = 15 * 60;
/** Wrong guesses per address, and per address and account; a right one is taken back. */
const PER_ADDRESS = { max: 20, seconds: WINDOW };
const PER_ACCOUNT = { max: 10, seconds: WINDOW };

/** An account by its name or, when that is none, by its e-mail address. */
export async function findAccount(ctx: Context, nameOrEmail: string) {
  const wanted = nameOrEmail.toLowerCase();
  const [row] = await ctx.db
    .select()
    .from(users)
    .where(
      sql`lower(${users.username}) = ${wanted} or (${users.email} <> '' and lower(${users.email}) = ${wanted})`,
    )
    .orderBy(sql`(lower(${users.username}) = ${wanted}) desc`)
    .limit(1);
  return row;
}

type Ban = { is_banned: boolean; ban_reason: string; banned_until: string | null };

/** Whether a ban holds at this moment. */
export const isBanned = (
  { is_banned, banned_until }: Omit<Ban, 'ban_reason'>,
  now: Date,
): boolean => is_banned && (banned_until === null || banned_until > now.toISOString());

function refuseBanned(account: Ban, now: Date): void {
  if (!isBanned(account, now)) return;
  const until = account.banned_until ? `，至 ${account.banned_until.slice(0, 10)}` : '';
  const reason = account.ban_reason ? `，原因：${account.ban_reason}` : '';
  throw userErrors.banned(`账户已被禁用${until}${reason}`);
}

export async function login(ctx: Context, input: LoginInput) {
  await checkCaptcha(ctx, 'login', input);
  const address = addressKey(ctx.client.ip);
  const keys = [`login:${address}`, `login:${address}:${input.username.toLowerCase()}`] as const;
  await countAttempt(ctx, keys[0], PER_ADDRESS);
  await countAttempt(ctx, keys[1], PER_ACCOUNT);
  const account = await findAccount(ctx, input.username);
  const isRight = await verifyPassword(account?.password_hash, input.password);
  if (!account || !isRight) throw userErrors.wrongCredentials();
  // Only who knows the password learns of a ban or of a second factor.
  refuseBanned(account, ctx.now());
  await checkSecondFactor(ctx, account.id, input.code);
  for (const key of keys) await forgiveAttempt(ctx, key);
  return inTransaction(ctx, async (ctx) => {
    const [user] = await ctx.db
      .update(users)
      .set({ login_at: ctx.now().toISOString(), last_login_ip: ctx.client.ip })
      .where(eq(users.id, account.id))
      .returning();
    if (!user) throw userErrors.wrongCredentials();
    return { user, token: await openSession(ctx, user.id) };
  });
}

export async function logout(ctx: Context) {
  if (ctx.user) await endSession(ctx, ctx.user.sessionId);
  return {};
}
