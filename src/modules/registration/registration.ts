import { userErrors } from '#modules/account/account.contract.ts';
import { createUser, findUser } from '#modules/account/account.ts';
import { consumeEmailCode, requestEmailCode, verifyEmailCode } from '#modules/account/email-code.ts';
import { recordLogin } from '#modules/account/login.ts';
import { openSession } from '#modules/account/session.ts';
import { recordActivity } from '#modules/activity/activity.ts';
import { checkCaptcha } from '#modules/captcha/captcha.ts';
import { awardCredit } from '#modules/credit/credit.ts';
import { assignDefaultRole } from '#modules/role/user-roles.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { enforceRateLimit, rateLimitAddress } from '#platform/server/http/rate-limit.ts';
import { type registrationApi, registrationErrors } from './registration.contract.ts';

const LIMIT_WINDOW_SECONDS = 60 * 60;

/** Returns the settings. Throws when the site is closed or does not accept registrations. */
async function assertRegistrationOpen(ctx: Context) {
  const settings = await getSettings(ctx);
  if (settings.security.is_close) throw userErrors.siteClosed();
  if (!settings.security.enable_register) throw userErrors.registerClosed();
  return settings;
}

/** Mails the code that proves the ownership of an address before a registration. */
export async function sendEmailCode(ctx: Context, input: ParsedInputOf<typeof registrationApi.emailCode>) {
  const { security } = await assertRegistrationOpen(ctx);
  if (!security.enable_verify_register_email) throw registrationErrors.codeNotAsked();
  await checkCaptcha(ctx, 'register', input);
  await requestEmailCode(ctx, { purpose: 'register', email: input.email });
  return {};
}

/** Creates an account with the default role and the registration award, and opens a session. */
export async function register(ctx: Context, input: ParsedInputOf<typeof registrationApi.register>) {
  const { security, score } = await assertRegistrationOpen(ctx);
  const { username, password, email } = input;
  const codeScope = { purpose: 'register', email } as const;
  const requiresCode = security.enable_verify_register_email;
  // With a mailed code no captcha is required here, because requesting the mail required one.
  if (!requiresCode) await checkCaptcha(ctx, 'register', input);
  await enforceRateLimit(ctx, `register:${rateLimitAddress(ctx.client.ip)}`, {
    max: security.register_limit_address,
    seconds: LIMIT_WINDOW_SECONDS,
  });
  if (requiresCode) await verifyEmailCode(ctx, codeScope, input.code ?? '');
  return inRetriedTransaction(ctx, async (ctx) => {
    if (requiresCode) await consumeEmailCode(ctx, codeScope);
    const { id } = await createUser(ctx, { username, password, email });
    await assignDefaultRole(ctx, id);
    const awardedAmount = await awardCredit(ctx, id, score.register, {
      key: `register:${id}`,
      reason: 'register',
      reference: `user:${id}`,
    });
    await recordActivity(ctx, { userId: id, type: 'register', payload: { award: awardedAmount } });
    const token = await openSession(ctx, id);
    await recordLogin(ctx, id);
    return { user: await findUser(ctx, id), token };
  });
}
