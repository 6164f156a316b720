import { inArray } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { announceUserChange } from '#modules/account/announce-user-change.ts';
import { endSessions } from '#modules/account/session.ts';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { UserContext } from '#platform/server/context.ts';
import { inTransactionRequiringAdministrator, lockExistingUsers, ROOT_ID, requireAuthorityOver } from './authority.ts';
import { type accountApi, accountErrors } from './manage-accounts.contract.ts';

type Input = ParsedInputOf<typeof accountApi.ban>;
type Ban = { is_banned: boolean; ban_reason: string; banned_until: string | null };

const NOT_BANNED: Ban = { is_banned: false, ban_reason: '', banned_until: null };

function parseBan(ctx: UserContext, { ban, reason, until }: Input): Ban {
  if (!ban) return NOT_BANNED;
  const ban_reason = reason.trim();
  if (ban_reason === '') throw accountErrors.reasonNeeded();
  const banned_until = until ? new Date(until).toISOString() : null;
  if (banned_until !== null && banned_until <= ctx.now().toISOString())
    throw httpErrors.invalidInput('禁用的期限应晚于现在');
  return { is_banned: true, ban_reason, banned_until };
}

/** Bans all of the accounts, which ends their sessions, or lifts their bans; changes none when one is refused. */
export async function banAccounts(ctx: UserContext, input: Input) {
  const ban = parseBan(ctx, input);
  if (input.id.includes(ROOT_ID)) throw accountErrors.rootStays();
  if (input.id.includes(ctx.user.id)) throw accountErrors.notYourself();
  await inTransactionRequiringAdministrator(ctx, async (ctx) => {
    const accounts = await lockExistingUsers(ctx, input.id);
    await requireAuthorityOver(ctx, input.id);
    await ctx.db.update(users).set(ban).where(inArray(users.id, input.id));
    await announceUserChange(ctx);
    if (ban.is_banned) for (const { id } of accounts) await endSessions(ctx, id);
    await recordBan(ctx, accounts, ban);
  });
  return {};
}

async function recordBan(
  ctx: UserContext,
  accounts: (Ban & { id: number; username: string })[],
  ban: Ban,
): Promise<void> {
  const pickBan = ({ is_banned, ban_reason, banned_until }: Ban) => ({
    is_banned,
    ban_reason,
    banned_until,
  });
  const [first, ...otherAccounts] = accounts;
  // Several accounts may have had different states before.
  const perAccount = (state: (account: Ban) => Ban) =>
    Object.fromEntries(accounts.map((each) => [`${each.id} ${each.username}`, state(each)]));
  const isSingle = first && otherAccounts.length === 0;
  await recordAudit(ctx, {
    action: ban.is_banned ? '禁用用户' : '解除禁用',
    target: auditTarget(
      '用户',
      accounts.map(({ id, username: name }) => ({ id, name })),
    ),
    before: isSingle ? pickBan(first) : perAccount(pickBan),
    after: isSingle ? ban : perAccount(() => ban),
  });
}
