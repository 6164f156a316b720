import { and, eq, sql } from 'drizzle-orm';
import { checkCaptcha } from '#modules/captcha/captcha.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { formatDate } from '#platform/contract/date-time.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { enforceRateLimit, rateLimitAddress, recordAttempt, undoAttempt } from '#platform/server/http/rate-limit.ts';
import { userErrors } from './account.contract.ts';
import { users } from './account.table.ts';
import { verifyPassword } from './password.ts';
import { endSession, openSession } from './session.ts';
import { assertSecondFactor } from './two-factor.ts';

type LoginInput = {
  username: string;
  password: string;
  code?: string;
  captcha?: string;
  captcha_id?: string;
};

const WINDOW_SECONDS = 15 * 60;
/** The limit of failed logins to one account from all addresses, as a multiple of the limit from one address. */
const ALL_ADDRESSES_FACTOR = 5;

/**
 * Limits of failed logins; a successful login is not counted. When the limit of an account over all addresses is
 * reached, only addresses without a failed login may still try.
 */
async function loginLimits(ctx: Context) {
  const { login_limit_address, login_limit_account } = (await getSettings(ctx)).security;
  return {
    perAddress: { max: login_limit_address, seconds: WINDOW_SECONDS },
    perAddressAndAccount: { max: login_limit_account, seconds: WINDOW_SECONDS },
    perAccountFromAnywhere: { max: ALL_ADDRESSES_FACTOR * login_limit_account, seconds: WINDOW_SECONDS },
  };
}

/** A user name takes precedence over an equal e-mail address. */
export async function findAccountByNameOrEmail(ctx: Context, nameOrEmail: string) {
  const normalizedName = nameOrEmail.toLowerCase();
  const [row] = await ctx.db
    .select()
    .from(users)
    .where(
      sql`lower(${users.username}) = ${normalizedName} or (${users.email} <> '' and lower(${users.email}) = ${normalizedName})`,
    )
    .orderBy(sql`(lower(${users.username}) = ${normalizedName}) desc`)
    .limit(1);
  return row;
}

type Ban = { is_banned: boolean; ban_reason: string; banned_until: string | null };

export const isBanned = ({ is_banned, banned_until }: Omit<Ban, 'ban_reason'>, now: Date): boolean =>
  is_banned && (banned_until === null || banned_until > now.toISOString());

async function assertNotBanned(ctx: Context, account: Ban): Promise<void> {
  if (!isBanned(account, ctx.now())) return;
  const { system } = await getSettings(ctx);
  const end = account.banned_until && formatDate(account.banned_until, system.timezone);
  const until = end ? `，至 ${end}` : '';
  const reason = account.ban_reason ? `，原因：${account.ban_reason}` : '';
  throw userErrors.banned(`账户已被禁用${until}${reason}`);
}

/** Throws when the site is not open to this account. The role module, which depends on this one, implements it. */
export type AssertAccountAdmitted = (ctx: Context, userId: number) => Promise<void>;

export const login = (assertAccountAdmitted: AssertAccountAdmitted) => async (ctx: Context, input: LoginInput) => {
  await checkCaptcha(ctx, 'login', input);
  const address = rateLimitAddress(ctx.client.ip);
  const name = input.username.toLowerCase();
  const keys = [`login:${address}`, `login:${address}:${name}`, `login-everywhere:${name}`] as const;
  const { perAddress, perAddressAndAccount, perAccountFromAnywhere } = await loginLimits(ctx);
  await enforceRateLimit(ctx, keys[0], perAddress);
  const attempts = await enforceRateLimit(ctx, keys[1], perAddressAndAccount);
  if (attempts > 1) await enforceRateLimit(ctx, keys[2], perAccountFromAnywhere);
  else await recordAttempt(ctx, keys[2], perAccountFromAnywhere);
  const account = await findAccountByNameOrEmail(ctx, input.username);
  const isCorrect = await verifyPassword(account?.password_hash, input.password);
  if (!account || !isCorrect) throw userErrors.wrongCredentials();
  // Only a caller with the correct password learns of a ban or of a second factor.
  await assertNotBanned(ctx, account);
  // The password was correct, so a failure below is not a guess at it.
  for (const key of keys) await undoAttempt(ctx, key);
  await assertSecondFactor(ctx, account.id, input.code);
  await assertAccountAdmitted(ctx, account.id);
  return inTransaction(ctx, async (ctx) => {
    const [user] = await ctx.db
      .update(users)
      .set(loginColumns(ctx))
      // A password change during the check ends all sessions; a login with the old password must not open a new one.
      .where(and(eq(users.id, account.id), eq(users.password_hash, account.password_hash)))
      .returning();
    if (!user) throw userErrors.wrongCredentials();
    return { user, token: await openSession(ctx, user.id) };
  });
};

export async function logout(ctx: Context) {
  if (ctx.user) await endSession(ctx, ctx.user.sessionId);
  return {};
}

const loginColumns = (ctx: Context) => ({
  login_at: ctx.now().toISOString(),
  last_login_ip: ctx.client.ip,
});

/** Records time and address of a login without a password check, as after a registration. */
export const recordLogin = (ctx: Context, userId: number) =>
  ctx.db.update(users).set(loginColumns(ctx)).where(eq(users.id, userId));
