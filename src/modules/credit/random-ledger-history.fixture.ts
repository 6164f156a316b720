import fc from 'fast-check';
import { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { awardCreditWithDailyLimit } from './award-credit-with-daily-limit.ts';
import { testEvent } from './credit.fixture.ts';
import { awardCredit, chargeCredit, transferCredit } from './credit.ts';

/** Users and keys are small indexes, so that operations collide on the same accounts and events. */
export const operationArbitrary = fc.record({
  kind: fc.constantFrom('award', 'daily', 'charge', 'transfer', 'adjust' as const),
  from: fc.nat(3),
  to: fc.nat(3),
  amount: fc.integer({ min: 1, max: 30 }),
  key: fc.nat(40),
});
export type LedgerOperation = typeof operationArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** The change of each account by a successful operation. */
export function expectedEntries({ kind, from, to, amount }: LedgerOperation, userIds: number[]) {
  const [account, otherAccount] = [`user:${userIds[from]}`, `user:${userIds[to]}`];
  const mint = 'system:mint';
  if (kind === 'transfer') return { [account]: -amount, [otherAccount]: amount };
  const gain = kind === 'charge' || (kind === 'adjust' && to % 2 === 1) ? -amount : amount;
  return { [account]: gain, [mint]: -gain };
}

/** `applied` when this operation moved credit, `skipped` when it was refused or its event was posted before. */
export type Outcome = 'applied' | 'skipped';

export async function performOperation(
  ctx: Context,
  { kind, from, to, amount }: LedgerOperation,
  key: string,
  userIds: number[],
): Promise<Outcome> {
  const [userId = 0, otherUserId = 0] = [userIds[from], userIds[to]];
  const event = testEvent(key);
  const attempt = async () => {
    if (kind === 'transfer')
      return (await transferCredit(ctx, userId, otherUserId, amount, event)) === 'posted' ? amount : 0;
    if (kind === 'charge') return chargeCredit(ctx, userId, amount, event);
    if (kind === 'daily') return awardCreditWithDailyLimit(ctx, userId, amount, { ...event, limit: 3 });
    return awardCredit(ctx, userId, amount, event);
  };
  try {
    return (await attempt()) > 0 ? 'applied' : 'skipped';
  } catch (error) {
    if (error instanceof AppError && error.code === 'credit.insufficient') return 'skipped';
    throw error;
  }
}
