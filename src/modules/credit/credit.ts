import { asc, inArray, sql } from 'drizzle-orm';
import { userErrors } from '#modules/account/account.contract.ts';
import { users } from '#modules/account/account.table.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type CreditReason, creditErrors } from './credit.contract.ts';
import { ledgerEntries, ledgerEvents } from './credit.table.ts';

/** Where beans come from and go to; it may owe any number of them. */
const MINT = 'system:mint';
const MAX_AMOUNT = 1_000_000_000_000;

export type LedgerAccount = `user:${number}` | typeof MINT;
export type LedgerEntry = { account: LedgerAccount; amount: number };
/** What happened. `key` names it among all that ever happens, so that it pays once. */
export type CreditEvent = { key: string; reason: CreditReason; reference: string; note?: string };

export const ledgerAccountOf = (userId: number): LedgerAccount => `user:${userId}`;
const userIdOf = (account: LedgerAccount): number | null =>
  account.startsWith('user:') ? Number(account.slice('user:'.length)) : null;

/**
 * Posts an event with its entries and moves the balances, or finds that it was posted before.
 * What belongs together goes into one event: accounts are locked in one order for all of it.
 */
export async function postLedgerEvent(
  ctx: Context,
  { entries, ...happening }: CreditEvent & { entries: LedgerEntry[] },
): Promise<'posted' | 'already'> {
  assertValidEntries(entries);
  return inRetriedTransaction(ctx, async (ctx) => {
    // Of two that post the same event together, the second waits here for the first.
    const [event] = await ctx.db
      .insert(ledgerEvents)
      .values({
        note: '',
        ...happening,
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

/** A mistake of ours, not of a person: it ends as a 500. */
function assertValidEntries(entries: LedgerEntry[]): void {
  const sound = entries.every(
    ({ amount }) => Number.isSafeInteger(amount) && amount !== 0 && Math.abs(amount) <= MAX_AMOUNT,
  );
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  const distinct = new Set(entries.map(({ account }) => account)).size === entries.length;
  if (!sound || !distinct || sum !== 0 || entries.length < 2)
    throw new RangeError(`not a ledger event: ${JSON.stringify(entries)}`);
}

/** Locks the users of the entries, always in the order of their ids, and refuses what they lack. */
async function lockAccounts(ctx: Context, entries: LedgerEntry[]): Promise<void> {
  const wanted = new Map(
    entries.flatMap(({ account, amount }) => {
      const id = userIdOf(account);
      return id === null ? [] : [[id, amount] as const];
    }),
  );
  const held = await ctx.db
    .select({ id: users.id, balance: users.credit_count })
    .from(users)
    .where(inArray(users.id, [...wanted.keys()]))
    .orderBy(asc(users.id))
    .for('no key update');
  if (held.length < wanted.size) throw userErrors.notFound();
  if (held.some(({ id, balance }) => balance + (wanted.get(id) ?? 0) < 0)) {
    const { score } = await getSettings(ctx);
    throw creditErrors.insufficient(`${score.credit_name}不足`);
  }
}

/** Balances and entries in one statement, with the accounts locked. */
async function moveBalances(ctx: Context, eventId: number, entries: LedgerEntry[]): Promise<void> {
  const rows = entries.map(
    ({ account, amount }) => sql`(${account}::text, ${userIdOf(account)}::bigint, ${amount}::bigint)`,
  );
  await ctx.db.execute(sql`
    with moved (account, user_id, amount) as (values ${sql.join(rows, sql`, `)}),
    changed as (
      update ${users} set credit_count = ${users}.credit_count + moved.amount
      from moved where ${users}.id = moved.user_id
      returning ${users}.id, ${users}.credit_count
    )
    insert into ${ledgerEntries} (event_id, account, amount, position, balance)
    select ${eventId}::bigint, moved.account, moved.amount,
      case when moved.user_id is not null then 1 + coalesce((
        select e.position from ${ledgerEntries} e
        where e.account = moved.account and e.position is not null
        order by e.position desc limit 1), 0) end,
      changed.credit_count
    from moved left join changed on changed.id = moved.user_id`);
}

/** Between a user and the site; a negative amount goes to the site. Says whether beans moved now. */
async function moveBetweenSiteAndUser(
  ctx: Context,
  userId: number,
  amount: number,
  happening: CreditEvent,
): Promise<boolean> {
  if (amount === 0) return false;
  const entries: LedgerEntry[] = [
    { account: ledgerAccountOf(userId), amount },
    { account: MINT, amount: -amount },
  ];
  return (await postLedgerEvent(ctx, { ...happening, entries })) === 'posted';
}

/** Gives a user beans of the site. Returns how many were given: none when it was done before. */
export const awardCredit = async (
  ctx: Context,
  userId: number,
  amount: number,
  happening: CreditEvent,
): Promise<number> => ((await moveBetweenSiteAndUser(ctx, userId, amount, happening)) ? amount : 0);

/** Takes beans from a user for the site. Returns how many were taken: none when it was done before. */
export const chargeCredit = async (
  ctx: Context,
  userId: number,
  amount: number,
  happening: CreditEvent,
): Promise<number> => ((await moveBetweenSiteAndUser(ctx, userId, -amount, happening)) ? amount : 0);

/** Moves beans from one user to another: a purchase. */
export const transferCredit = (
  ctx: Context,
  from: number,
  to: number,
  amount: number,
  happening: CreditEvent,
): Promise<'posted' | 'already'> =>
  postLedgerEvent(ctx, {
    ...happening,
    entries: [
      { account: ledgerAccountOf(from), amount: -amount },
      { account: ledgerAccountOf(to), amount },
    ],
  });
