import { eq } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import type { Context } from '#platform/server/context.ts';
import { awardCredit, type CreditEvent } from './credit.ts';

/** Creates a user with this balance. The password hash is invalid, so the user cannot log in with a password. */
export async function createUserWithCredit(ctx: Context, balance = 0): Promise<number> {
  const username = `bean${crypto.randomUUID().slice(0, 8)}`;
  const [row] = await ctx.db.insert(users).values({ username, password_hash: '-' }).returning({ id: users.id });
  if (!row) throw new Error('the insert returned no user');
  await awardCredit(ctx, row.id, balance, { key: `start:${row.id}`, reason: 'register', reference: '' });
  return row.id;
}

export async function balanceOf(ctx: Context, id: number): Promise<number> {
  const [row] = await ctx.db.select({ balance: users.credit_count }).from(users).where(eq(users.id, id));
  if (!row) throw new Error(`no user ${id}`);
  return row.balance;
}

/** A credit event with a unique key unless one is passed. */
export const testEvent = (key = `test:${crypto.randomUUID()}`): CreditEvent => ({
  key,
  reason: 'upload_document',
  reference: 'document:1',
});

export const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index);
