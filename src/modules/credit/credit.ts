import { asc, inArray, sql } from 'drizzle-orm';
import { userErrors } from '#modules/account/account.contract.ts';
import { users } from '#modules/account/account.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type CreditReason, creditErrors } from './credit.contract.ts';
import { ledgerEntries, ledgerEvents } from './credit.table.ts';

/** The account of the site, which issues and collects credit; its balance may be negative without limit. */
const MINT = 'system:mint';
const MAX_AMOUNT = 1_000_000_000_000;

export type LedgerAccount = `user:${number}` | typeof MINT;
export type LedgerEntry = { account: LedgerAccount; amount: number };
/** The reason for a credit movement. `key` is unique over all events, so that each is posted once. */
export type CreditEvent = { key: string; reason: CreditReason; reference: string; note?: string };

export const ledgerAccountOf = (userId: number): LedgerAccount => `user:${userId}`;
const userIdOfLedgerAccount = (account: LedgerAccount): number | null =>
  account.startsWith('user:') ? Number(account.slice('user:'.length)) : null;

/**
 * Posts an event with its entries and updates the balances, unless the event was posted before. Entries that belong
 * together must be in one event, because only its accounts are locked in a common order.
 */
export async function postLedgerEvent(
  ctx: Context,
  { entries, ...eventFields }: CreditEvent & { entries: LedgerEntry[] },
): Promise<'posted' | 'already'> {
  assertValidEntries(entries);
  return inRetriedTransaction(ctx, async (ctx) => {
    // A concurrent post of the same event waits here for the first one.
    const [event] = await ctx.db
      .insert(ledgerEvents)
      .values({
        note: '',
        ...eventFields,
        actor_id: ctx.user?.id ?? null,
        created_at: ctx.now().toISOString(),
      })
      .onConflictDoNothing({ target: ledgerEvents.key })
      .returning({ id: ledgerEvents.id });
    if (!event) return 'already';
    await lockAccounts(ctx, entries);
    await moveBalances(ctx, event.id, entries);
    return 'posted';
  });
}

/** Invalid entries are a programming error, so the request ends with status 500. */
function assertValidEntries(entries: LedgerEntry[]): void {
  const hasValidAmounts = entries.every(
    ({ amount }) => Number.isSafeInteger(amount) && amount !== 0 && Math.abs(amount) <= MAX_AMOUNT,
  );
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  const hasDistinctAccounts = new Set(entries.map(({ account }) => account)).size === entries.length;
  if (!hasValidAmounts || !hasDistinctAccounts || sum !== 0 || entries.length < 2)
    throw new RangeError(`invalid ledger entries: ${JSON.stringify(entries)}`);
}

/** Locks the users of the entries in the order of their ids. Throws when a balance is not sufficient. */
async function lockAccounts(ctx: Context, entries: LedgerEntry[]): Promise<void> {
  const changeByUserId = new Map(
    entries.flatMap(({ account, amount }) => {
      const id = userIdOfLedgerAccount(account);
      return id === null ? [] : [[id, amount] as const];
    }),
  );
  const balances = await ctx.db
    .select({ id: users.id, balance: users.credit_count })
    .from(users)
    .where(inArray(users.id, [...changeByUserId.keys()]))
    .orderBy(asc(users.id))
    .for('no key update');
  if (balances.length < changeByUserId.size) throw userErrors.notFound();
  if (balances.some(({ id, balance }) => balance + (changeByUserId.get(id) ?? 0) < 0)) {
    const { score } = await getSettings(ctx);
    throw creditErrors.insufficient(`${score.credit_name}不足`);
  }
}

/** Updates balances and inserts entries in one statement. The accounts must be locked. */
async function moveBalances(ctx: Context, eventId: number, entries: LedgerEntry[]): Promise<void> {
  const rows = entries.map(
    ({ account, amount }) => sql`(${account}::text, ${userIdOfLedgerAccount(account)}::bigint, ${amount}::bigint)`,
  );
  await ctx.db.execute(sql`
    with movements (account, user_id, amount) as (values ${sql.join(rows, sql`, `)}),
    updated_users as (
      update ${users} set credit_count = ${users}.credit_count + movements.amount
      from movements where ${users}.id = movements.user_id
      returning ${users}.id, ${users}.credit_count
    )
    insert into ${ledgerEntries} (event_id, account, amount, position, balance)
    select ${eventId}::bigint, movements.account, movements.amount,
      case when movements.user_id is not null then 1 + coalesce((
        select e.position from ${ledgerEntries} e
        where e.account = movements.account and e.position is not null
        order by e.position desc limit 1), 0) end,
      updated_users.credit_count
    from movements left join updated_users on updated_users.id = movements.user_id`);
}

/** A negative amount goes to the site. Returns false when the event was posted before. */
async function moveBetweenSiteAndUser(
  ctx: Context,
  userId: number,
  amount: number,
  event: CreditEvent,
): Promise<boolean> {
  if (amount === 0) return false;
  const entries: LedgerEntry[] = [
    { account: ledgerAccountOf(userId), amount },
    { account: MINT, amount: -amount },
  ];
  return (await postLedgerEvent(ctx, { ...event, entries })) === 'posted';
}

/** Gives a user credit of the site. Returns the amount, or 0 when the event was posted before. */
export const awardCredit = async (ctx: Context, userId: number, amount: number, event: CreditEvent): Promise<number> =>
  (await moveBetweenSiteAndUser(ctx, userId, amount, event)) ? amount : 0;

/** Takes credit from a user for the site. Returns the amount, or 0 when the event was posted before. */
export const chargeCredit = async (
  ctx: Context,
  userId: number,
  amount: number,
  event: CreditEvent,
): Promise<number> => ((await moveBetweenSiteAndUser(ctx, userId, -amount, event)) ? amount : 0);

export const transferCredit = (
  ctx: Context,
  from: number,
  to: number,
  amount: number,
  event: CreditEvent,
): Promise<'posted' | 'already'> =>
  postLedgerEvent(ctx, {
    ...event,
    entries: [
      { account: ledgerAccountOf(from), amount: -amount },
      { account: ledgerAccountOf(to), amount },
    ],
  });
