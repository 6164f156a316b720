import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { UserContext } from '#platform/server/context.ts';
import { countAttempt } from '#platform/server/http/rate-limit.ts';
import { type userApi, userErrors } from './account.contract.ts';
import { isCurrentUserPassword } from './confirm-password.ts';
import { requestEmailCode } from './email-code.ts';

const REQUEST_LIMIT = { max: 5, seconds: 60 * 60 };

/** What the code of a change of the own address is good for. */
export const emailChangeScope = ({ user }: UserContext, email: string) =>
  ({ purpose: 'change_email', email, userId: user.id }) as const;

/**
 * The address is the key to a lost password. So a left desk cannot change it, and nobody can take one
 * that belongs to others: the password is asked for, and the new address is mailed a code.
 */
export async function beginEmailChange(
  ctx: UserContext,
  { email, password }: ParsedInputOf<typeof userApi.beginEmailChange>,
) {
  if (!(await isCurrentUserPassword(ctx, password))) throw userErrors.wrongPassword();
  await countAttempt(ctx, `change-email:${ctx.user.id}`, REQUEST_LIMIT);
  await requestEmailCode(ctx, emailChangeScope(ctx, email));
  return {};
}
