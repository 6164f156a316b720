import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { UserContext } from '#platform/server/context.ts';
import { enforceRateLimit } from '#platform/server/http/rate-limit.ts';
import { type userApi, userErrors } from './account.contract.ts';
import { requestEmailCode } from './email-code.ts';
import { isCurrentUserPassword } from './is-current-user-password.ts';

const REQUEST_LIMIT = { max: 5, seconds: 60 * 60 };

/** The code is valid only for this account and this new address. */
export const emailChangeScope = ({ user }: UserContext, email: string) =>
  ({ purpose: 'change_email', email, userId: user.id }) as const;

/**
 * The address can reset the password. The password is required, so that an unattended session cannot change the
 * address; the mailed code proves that the new address belongs to the user.
 */
export async function mailEmailChangeCode(
  ctx: UserContext,
  { email, password }: ParsedInputOf<typeof userApi.beginEmailChange>,
) {
  if (!(await isCurrentUserPassword(ctx, password))) throw userErrors.wrongPassword();
  await enforceRateLimit(ctx, `change-email:${ctx.user.id}`, REQUEST_LIMIT);
  await requestEmailCode(ctx, emailChangeScope(ctx, email));
  return {};
}
