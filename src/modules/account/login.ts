import { and, eq, sql } from 'drizzle-orm';
import { checkCaptcha } from '#modules/captcha/captcha.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { formatDate } from '#platform/contract/format.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { addressKey, countAttempt, forgiveAttempt, tallyAttempt } from '#platform/server/http/rate-limit.ts';
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
/** Wrong guesses at one account from all addresses together, in multiples of those from one. */
const EVERYWHERE_FACTOR = 5;

/**
 * Wrong guesses per address, and per address and account; a right one is taken back. Past the limit
 * for all addresses only one that has not failed may try.
 */
async function loginLimits(ctx: Context) {
  const { login_limit_address, login_limit_account } = (await getSettings(ctx)).security;
  return {
    perAddress: { max: login_limit_address, seconds: WINDOW_SECONDS },
    perAccount: { max: login_limit_account, seconds: WINDOW_SECONDS },
    everywhere: { max: EVERYWHERE_FACTOR * login_limit_account, seconds: WINDOW_SECONDS },
  };
}

/** An account by its name or, when that is none, by its e-mail address. */
export async function findAccountByNameOrEmail(ctx: Context, nameOrEmail: string) {
  const wanted = nameOrEmail.toLowerCase();
  const [row] = await ctx.db
    .select()
    .from(users)
    .where(sql`lower(${users.username}) = ${wanted} or (${users.email} <> '' and lower(${users.email}) = ${wanted})`)
    .orderBy(sql`(lower(${users.username}) = ${wanted}) desc`)
    .limit(1);
  return row;
}

type Ban = { is_banned: boolean; ban_reason: string; banned_until: string | null };

/** Whether a ban holds at this moment. */
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

/** Refuses an account to which the site is not open now; roles are not known here. */
export type AssertAccountAdmitted = (ctx: Context, userId: number) => Promise<void>;

export const login = (assertAccountAdmitted: AssertAccountAdmitted) => async (ctx: Context, input: LoginInput) => {
  await checkCaptcha(ctx, 'login', input);
  const address = addressKey(ctx.client.ip);
  const name = input.username.toLowerCase();
  const keys = [`login:${address}`, `login:${address}:${name}`, `login-everywhere:${name}`] as const;
  const { perAddress, perAccount, everywhere } = await loginLimits(ctx);
  await countAttempt(ctx, keys[0], perAddress);
  const fromHere = await countAttempt(ctx, keys[1], perAccount);
  if (fromHere > 1) await countAttempt(ctx, keys[2], everywhere);
  else await tallyAttempt(ctx, keys[2], everywhere);
  const account = await findAccountByNameOrEmail(ctx, input.username);
  const isRight = await verifyPassword(account?.password_hash, input.password);
  if (!account || !isRight) throw userErrors.wrongCredentials();
  // Only who knows the password learns of a ban or of a second factor.
  await assertNotBanned(ctx, account);
  // The password was right: what follows is no guess at it.
  for (const key of keys) await forgiveAttempt(ctx, key);
  await assertSecondFactor(ctx, account.id, input.code);
  await assertAccountAdmitted(ctx, account.id);
  return inTransaction(ctx, async (ctx) => {
    const [user] = await ctx.db
      .update(users)
      .set(loginColumns(ctx))
      // A password changed while this one was checked ends all sessions; none may open after that.
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

/** Notes time and address of a login that no password was checked for: a registration opens a session. */
export const recordLogin = (ctx: Context, userId: number) =>
  ctx.db.update(users).set(loginColumns(ctx)).where(eq(users.id, userId));
