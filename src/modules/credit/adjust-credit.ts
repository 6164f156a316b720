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

export async function adjustCredit(ctx: UserContext, input: Adjustment) {
  const { user_id, amount, note } = input;
  // Clients choose only the last part of the key, so it cannot equal the key of another kind of event.
  const key = `adjustment:${ctx.user.id}:${input.key ?? crypto.randomUUID()}`;
  const event = { key, reason: 'adjustment', reference: ledgerAccountOf(user_id), note } as const;
  const { id, balance, movedAmount } = await inRetriedTransaction(ctx, async (ctx) => {
    // Credit pays for downloads, so an administrator without authority over the account may not change it.
    await requireAuthorityOver(ctx, [user_id]);
    const moveCredit = amount > 0 ? awardCredit : chargeCredit;
    const movedAmount = await moveCredit(ctx, user_id, Math.abs(amount), event);
    const adjustment = await findAdjustment(ctx, key, user_id);
    // A repeated key gets the same answer, but only for the same amount and note.
    if (!adjustment || adjustment.amount !== amount || adjustment.note !== note) throw creditErrors.keyReused();
    const balance = adjustment.balance ?? 0;
    if (movedAmount > 0)
      await recordAudit(ctx, {
        action: '调整用户积分',
        target: auditTarget('用户', [{ id: user_id, name: await usernameOf(ctx, user_id) }]),
        before: { credit_count: balance - amount, note: '' },
        after: { credit_count: balance, note },
      });
    return { id: adjustment.id, balance, movedAmount };
  });
  if (movedAmount > 0)
    ctx.log.info(
      { audit: true, actor: ctx.user.id, user_id, amount, balance, note },
      'an administrator adjusted the credit of a user',
    );
  return { id, balance };
}

async function usernameOf(ctx: UserContext, userId: number): Promise<string | undefined> {
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
