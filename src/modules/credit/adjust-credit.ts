import { and, eq } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import { requireAuthorityOver } from '#modules/role/authority.ts';
import type { UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { creditErrors } from './credit.contract.ts';
import { ledgerEntries, ledgerEvents } from './credit.table.ts';
import { awardCredit, chargeCredit, ledgerAccountOf } from './credit.ts';

type Adjustment = { user_id: number; amount: number; note: string; key?: string };

/** Gives or takes beans by hand, with a reason that the user reads. */
export async function adjustCredit(ctx: UserContext, input: Adjustment) {
  const { user_id, amount, note } = input;
  // Clients choose the last part only: what they send can never name another kind of event.
  const key = `adjustment:${ctx.user.id}:${input.key ?? crypto.randomUUID()}`;
  const happening = { key, reason: 'adjustment', reference: ledgerAccountOf(user_id), note } as const;
  const { id, balance, moved } = await inRetriedTransaction(ctx, async (ctx) => {
    // Beans buy what people have shared; who may not touch an account may not touch its beans.
    await requireAuthorityOver(ctx, [user_id]);
    const move = amount > 0 ? awardCredit : chargeCredit;
    const moved = await move(ctx, user_id, Math.abs(amount), happening);
    const done = await findAdjustment(ctx, key, user_id);
    // The same key again gives the same answer, but only for the same wish.
    if (!done || done.amount !== amount || done.note !== note) throw creditErrors.keyReused();
    const balance = done.balance ?? 0;
    if (moved > 0)
      await recordAudit(ctx, {
        action: '调整用户积分',
        target: auditTarget('用户', [{ id: user_id, name: await nameOf(ctx, user_id) }]),
        before: { credit_count: balance - amount, note: '' },
        after: { credit_count: balance, note },
      });
    return { id: done.id, balance, moved };
  });
  if (moved > 0)
    ctx.log.info({ audit: true, actor: ctx.user.id, user_id, amount, balance, note }, 'beans were adjusted');
  return { id, balance };
}

async function nameOf(ctx: UserContext, userId: number): Promise<string | undefined> {
  const [row] = await ctx.db.select({ username: users.username }).from(users).where(eq(users.id, userId));
  return row?.username;
}

async function findAdjustment(ctx: UserContext, key: string, userId: number) {
  const [row] = await ctx.db
    .select({
      id: ledgerEvents.id,
      note: ledgerEvents.note,
      amount: ledgerEntries.amount,
      balance: ledgerEntries.balance,
    })
    .from(ledgerEvents)
    .innerJoin(
      ledgerEntries,
      and(eq(ledgerEntries.event_id, ledgerEvents.id), eq(ledgerEntries.account, ledgerAccountOf(userId))),
    )
    .where(eq(ledgerEvents.key, key));
  return row;
}
