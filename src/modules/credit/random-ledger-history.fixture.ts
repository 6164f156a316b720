import fc from 'fast-check';
import { AppError } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { awardDaily } from './award-daily.ts';
import { testEvent } from './credit.fixture.ts';
import { awardCredit, chargeCredit, transferCredit } from './credit.ts';

/** Users and keys are indexes, so that operations meet on the same accounts and the same events. */
export const operationArbitrary = fc.record({
  kind: fc.constantFrom('award', 'daily', 'charge', 'transfer', 'adjust' as const),
  from: fc.nat(3),
  to: fc.nat(3),
  amount: fc.integer({ min: 1, max: 30 }),
  key: fc.nat(40),
});
export type Operation = typeof operationArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** What an operation changes when it is done. */
export function expectedEntries({ kind, from, to, amount }: Operation, userIds: number[]) {
  const [own, other] = [`user:${userIds[from]}`, `user:${userIds[to]}`];
  const mint = 'system:mint';
  if (kind === 'transfer') return { [own]: -amount, [other]: amount };
  const gain = kind === 'charge' || (kind === 'adjust' && to % 2 === 1) ? -amount : amount;
  return { [own]: gain, [mint]: -gain };
}

/** `done` when this very operation moved beans, `not` when it was refused or done before. */
export type Outcome = 'done' | 'not';

/** The operations without a door of their own yet. */
export async function performOperation(
  ctx: Context,
  { kind, from, to, amount }: Operation,
  key: string,
  userIds: number[],
): Promise<Outcome> {
  const [own = 0, other = 0] = [userIds[from], userIds[to]];
  const event = testEvent(key);
  const attempt = async () => {
    if (kind === 'transfer') return (await transferCredit(ctx, own, other, amount, event)) === 'posted' ? amount : 0;
    if (kind === 'charge') return chargeCredit(ctx, own, amount, event);
    if (kind === 'daily') return awardDaily(ctx, own, amount, { ...event, limit: 3 });
    return awardCredit(ctx, own, amount, event);
  };
  try {
    return (await attempt()) > 0 ? 'done' : 'not';
  } catch (error) {
    if (error instanceof AppError && error.code === 'credit.insufficient') return 'not';
    throw error;
  }
}
