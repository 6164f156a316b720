import { userErrors } from '#modules/account/account.contract.ts';
import { createUser, findUser } from '#modules/account/account.ts';
import { checkCode, requestCode, spendCode } from '#modules/account/email-code.ts';
import { recordLogin } from '#modules/account/login.ts';
import { openSession } from '#modules/account/session.ts';
import { recordActivity } from '#modules/activity/activity.ts';
import { checkCaptcha } from '#modules/captcha/captcha.ts';
import { award } from '#modules/credit/credit.ts';
import { assignDefaultRole } from '#modules/role/user-roles.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { enforceRateLimit, rateLimitAddress } from '#platform/server/http/rate-limit.ts';
import { type registrationApi, registrationErrors } from './registration.contract.ts';

const LIMIT_SECONDS = 60 * 60;

/** The settings, unless nobody may register now. */
async function openSettings(ctx: Context) {
  const settings = await getSettings(ctx);
  if (settings.security.is_close) throw userErrors.siteClosed();
  if (!settings.security.enable_register) throw userErrors.registerClosed();
  return settings;
}

/** Mails what proves that an address can be read, before there is an account. */
export async function sendEmailCode(ctx: Context, input: ParsedInputOf<typeof registrationApi.emailCode>) {
  const { security } = await openSettings(ctx);
  if (!security.enable_verify_register_email) throw registrationErrors.codeNotAsked();
  await checkCaptcha(ctx, 'register', input);
  await requestCode(ctx, { purpose: 'register', email: input.email });
  return {};
}

/** A new account with the default role and its first beans, logged in at once. */
export async function register(ctx: Context, input: ParsedInputOf<typeof registrationApi.register>) {
  const { security, score } = await openSettings(ctx);
  const { username, password, email } = input;
  const proof = { purpose: 'register', email } as const;
  const asksCode = security.enable_verify_register_email;
  // The captcha guarded the mail with the code; who has the code has solved one.
  if (!asksCode) await checkCaptcha(ctx, 'register', input);
  await enforceRateLimit(ctx, `register:${rateLimitAddress(ctx.client.ip)}`, {
    max: security.register_limit_address,
    seconds: LIMIT_SECONDS,
  });
  if (asksCode) await checkCode(ctx, proof, input.code ?? '');
  return inRetriedTransaction(ctx, async (ctx) => {
    if (asksCode) await spendCode(ctx, proof);
    const { id } = await createUser(ctx, { username, password, email });
    await assignDefaultRole(ctx, id);
    const given = await award(ctx, id, score.register, {
      key: `register:${id}`,
      reason: 'register',
      reference: `user:${id}`,
    });
    await recordActivity(ctx, { userId: id, type: 'register', payload: { award: given } });
    const token = await openSession(ctx, id);
    await recordLogin(ctx, id);
    return { user: await findUser(ctx, id), token };
  });
}
