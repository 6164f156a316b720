import { and, between, desc, eq, isNotNull } from 'drizzle-orm';
import type { UserContext } from '#platform/server/context.ts';
import { type CreditMovement, creditReasons } from './credit.contract.ts';
import { ledgerEntries, ledgerEvents } from './credit.table.ts';
import { ledgerAccountOf } from './credit.ts';

function reasonLabel(reason: string, amount: number): string {
  const labels = Object.hasOwn(creditReasons, reason)
    ? creditReasons[reason as keyof typeof creditReasons]
    : { gained: '增加', paid: '扣除' };
  return amount > 0 ? labels.gained : labels.paid;
}

/** Reads a page by positions instead of an offset, so that every page costs the same. */
export async function listMyCreditMovements(
  ctx: UserContext,
  { page, size }: { page: number; size: number },
): Promise<{ total: number; credit: CreditMovement[] }> {
  const isMine = and(eq(ledgerEntries.account, ledgerAccountOf(ctx.user.id)), isNotNull(ledgerEntries.position));
  const [newest] = await ctx.db
    .select({ position: ledgerEntries.position })
    .from(ledgerEntries)
    .where(isMine)
    .orderBy(desc(ledgerEntries.position))
    .limit(1);
  const total = newest?.position ?? 0;
  const lastPosition = total - (page - 1) * size;
  if (lastPosition < 1) return { total, credit: [] };
  const rows = await ctx.db
    .select({
      id: ledgerEvents.id,
      amount: ledgerEntries.amount,
      balance: ledgerEntries.balance,
      reason: ledgerEvents.reason,
      reference: ledgerEvents.reference,
      note: ledgerEvents.note,
      created_at: ledgerEvents.created_at,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerEvents, eq(ledgerEvents.id, ledgerEntries.event_id))
    .where(and(isMine, between(ledgerEntries.position, lastPosition - size + 1, lastPosition)))
    .orderBy(desc(ledgerEntries.position));
  const credit = rows.map((row) => ({
    ...row,
    balance: row.balance ?? 0,
    reason_label: reasonLabel(row.reason, row.amount),
  }));
  return { total, credit };
}
