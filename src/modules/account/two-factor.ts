import { createHash } from 'node:crypto';
import { and, count, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import { getSettings } from '#modules/settings/settings.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { enforceRateLimit, undoAttempt } from '#platform/server/http/rate-limit.ts';
import { userErrors } from './account.contract.ts';
import { recoveryCodes, totpSecrets } from './account.table.ts';
import { isCurrentUserPassword } from './is-current-user-password.ts';

const STEP_SECONDS = 30;
const CODE_DIGITS = 6;
/** The clock of the phone may be this many steps ahead or behind. */
const TOLERATED_STEPS = 1;
const RECOVERY_CODE_COUNT = 10;
const ATTEMPT_LIMIT = { max: 10, seconds: 15 * 60 };

/** SHA-1 and six digits, which all authenticator apps support. */
const createTotp = (secret: Secret | string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret, algorithm: 'SHA1', digits: CODE_DIGITS, period: STEP_SECONDS });

/** Accepts codes typed with spaces or hyphens, in either case, and in full-width digits of a Chinese keyboard. */
const normalizeCode = (code: string) => code.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
const hashCode = (code: string) => createHash('sha256').update(normalizeCode(code)).digest();

async function findConfirmedSecret(ctx: Context, userId: number) {
  const [row] = await ctx.db
    .select()
    .from(totpSecrets)
    .where(and(eq(totpSecrets.user_id, userId), isNotNull(totpSecrets.confirmed_at)));
  return row;
}

/** The time step of a valid code; undefined for a wrong one. */
function matchingStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const offset = createTotp(secret).validate({ token: code, timestamp, window: TOLERATED_STEPS });
  return offset === null ? undefined : Math.floor(timestamp / 1000 / STEP_SECONDS) + offset;
}

/** Throws when the account has a second factor and the code is missing, wrong or already used. */
export async function assertSecondFactor(ctx: Context, userId: number, code: string | undefined): Promise<void> {
  const row = await findConfirmedSecret(ctx, userId);
  if (!row) return;
  const normalizedCode = normalizeCode(code ?? '');
  if (normalizedCode === '') throw userErrors.codeNeeded();
  await enforceRateLimit(ctx, `totp:${userId}`, ATTEMPT_LIMIT);
  const step = matchingStep(row.secret, normalizedCode, ctx.now());
  // The write decides, not a prior read: of two concurrent uses of one code only one changes the row.
  const [acceptedRow] =
    step === undefined
      ? await ctx.db
          .delete(recoveryCodes)
          .where(and(eq(recoveryCodes.user_id, userId), eq(recoveryCodes.code_hash, hashCode(normalizedCode))))
          .returning({ user_id: recoveryCodes.user_id })
      : await ctx.db
          .update(totpSecrets)
          .set({ last_step: step })
          .where(and(eq(totpSecrets.user_id, userId), lt(totpSecrets.last_step, step)))
          .returning({ user_id: totpSecrets.user_id });
  if (!acceptedRow) throw userErrors.wrongCode();
  await undoAttempt(ctx, `totp:${userId}`);
}

export async function getTotpStatus(ctx: UserContext) {
  const row = await findConfirmedSecret(ctx, ctx.user.id);
  const [remainingCodes] = await ctx.db
    .select({ count: count() })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.user_id, ctx.user.id));
  return { enabled: row !== undefined, recovery_left: row ? (remainingCodes?.count ?? 0) : 0 };
}

export async function beginTotp(ctx: UserContext, { password }: { password: string }) {
  if (!(await isCurrentUserPassword(ctx, password))) throw userErrors.wrongPassword();
  if (await findConfirmedSecret(ctx, ctx.user.id)) throw userErrors.totpOn();
  const secret = new Secret({ size: 20 }).base32;
  const unconfirmedSecret = { secret, confirmed_at: null, last_step: 0 };
  await ctx.db
    .insert(totpSecrets)
    .values({ user_id: ctx.user.id, ...unconfirmedSecret })
    .onConflictDoUpdate({
      target: totpSecrets.user_id,
      set: unconfirmedSecret,
      // A concurrent request may have confirmed a secret; it is not replaced.
      setWhere: isNull(totpSecrets.confirmed_at),
    });
  const { system } = await getSettings(ctx);
  const uri = createTotp(secret, { issuer: system.sitename, label: ctx.user.username }).toString();
  const qr = `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri)).toString('base64')}`;
  return { secret, uri, qr };
}

export async function confirmTotp(ctx: UserContext, { code }: { code: string }) {
  await enforceRateLimit(ctx, `totp:${ctx.user.id}`, ATTEMPT_LIMIT);
  return inTransaction(ctx, async (ctx) => {
    const user_id = ctx.user.id;
    const [row] = await ctx.db.select().from(totpSecrets).where(eq(totpSecrets.user_id, user_id)).for('update');
    if (!row || row.confirmed_at) throw userErrors.totpNotBegun();
    const step = matchingStep(row.secret, normalizeCode(code), ctx.now());
    if (step === undefined) throw userErrors.wrongCode();
    await ctx.db
      .update(totpSecrets)
      .set({ confirmed_at: ctx.now().toISOString(), last_step: step })
      .where(eq(totpSecrets.user_id, user_id));
    return { recovery_code: await replaceRecoveryCodes(ctx) };
  });
}

/** Replaces all codes, used and unused ones. */
async function replaceRecoveryCodes(ctx: UserContext): Promise<string[]> {
  const user_id = ctx.user.id;
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const text = new Secret({ size: 10 }).base32.slice(0, 12);
    return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
  });
  await ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.user_id, user_id));
  await ctx.db.insert(recoveryCodes).values(codes.map((each) => ({ user_id, code_hash: hashCode(each) })));
  return codes;
}

export async function renewRecoveryCodes(ctx: UserContext, input: { password: string; code: string }) {
  if (!(await isCurrentUserPassword(ctx, input.password))) throw userErrors.wrongPassword();
  if (!(await findConfirmedSecret(ctx, ctx.user.id))) throw userErrors.totpOff();
  await assertSecondFactor(ctx, ctx.user.id, input.code);
  return inTransaction(ctx, async (ctx) => {
    // The lock serializes concurrent renewals and detects that two-factor login was disabled meanwhile.
    const [row] = await ctx.db
      .select({ confirmed_at: totpSecrets.confirmed_at })
      .from(totpSecrets)
      .where(eq(totpSecrets.user_id, ctx.user.id))
      .for('update');
    if (!row?.confirmed_at) throw userErrors.totpOff();
    return { recovery_code: await replaceRecoveryCodes(ctx) };
  });
}

export async function disableTotp(ctx: UserContext, input: { password: string; code: string }) {
  if (!(await isCurrentUserPassword(ctx, input.password))) throw userErrors.wrongPassword();
  await assertSecondFactor(ctx, ctx.user.id, input.code);
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.delete(totpSecrets).where(eq(totpSecrets.user_id, ctx.user.id));
    await ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.user_id, ctx.user.id));
  });
  return {};
}
