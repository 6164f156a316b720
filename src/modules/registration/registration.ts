import { assignDefaultRole } from '#modules/access/user-roles.ts';
import { recordActivity } from '#modules/activity/activity.ts';
import { checkCaptcha } from '#modules/captcha/captcha.ts';
import { award } from '#modules/credit/credit.ts';
import { inLedgerTransaction } from '#modules/credit/ledger-transaction.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { openSession } from '#modules/user/session.ts';
import { userErrors } from '#modules/user/user.contract.ts';
import { createUser, findUser } from '#modules/user/user.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { addressKey, countAttempt } from '#platform/server/rate-limit.ts';
import type { registrationApi } from './registration.contract.ts';

const PER_ADDRESS = { max: 30, seconds: 60 * 60 };

/** A new account with the default role and its first beans, logged in at once. */
export async function register(
  ctx: Context,
  input: ParsedInputOf<typeof registrationApi.register>,
) {
  const { security, score } = await getSettings(ctx);
  if (security.is_close) throw userErrors.siteClosed();
  if (!security.enable_register) throw userErrors.registerClosed();
  await checkCaptcha(ctx, 'register', input);
  await countAttempt(ctx, `register:${addressKey(ctx.client.ip)}`, PER_ADDRESS);
  const { username, password, email } = input;
  return inLedgerTransaction(ctx, async (ctx) => {
    const { id } = await createUser(ctx, { username, password, email });
    await assignDefaultRole(ctx, id);
    const given = await award(ctx, id, score.register, {
      key: `register:${id}`,
      reason: 'register',
      reference: `user:${id}`,
    });
    await recordActivity(ctx, { userId: id, type: 'register', payload: { award: given } });
    const token = await openSession(ctx, id);
    return { user: await findUser(ctx, id), token };
  });
}
