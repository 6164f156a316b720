import { expect, test } from 'vitest';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { testApp } from '#testing/test-app.ts';
import { awardCreditWithDailyLimit } from './award-credit-with-daily-limit.ts';
import { balanceOf, createUserWithCredit, numbersUpTo, testEvent } from './credit.fixture.ts';
import { awardCredit, chargeCredit, postLedgerEvent, transferCredit } from './credit.ts';
import { entriesByEventKey, findLedgerViolations } from './ledger.fixture.ts';

const { app, as, clock, ctx, pool } = await testApp();
const codeOf = (error: { code?: string }) => error.code;

test('awardCredit posts an event once for fifty concurrent and later calls', async () => {
  const id = await createUserWithCredit(ctx);
  const event = testEvent();
  const awardedAmounts = await Promise.all(numbersUpTo(50).map(() => awardCredit(ctx, id, 5, event)));
  expect(awardedAmounts.filter((amount) => amount === 5)).toHaveLength(1);
  expect(await awardCredit(ctx, id, 5, event)).toBe(0);
  expect(await balanceOf(ctx, id)).toBe(5);
});

test('of fifty concurrent transfers of 10 from a balance of 100 exactly ten succeed', async () => {
  const [id, author] = [await createUserWithCredit(ctx, 100), await createUserWithCredit(ctx)];
  const results = await Promise.all(
    numbersUpTo(50).map(() => transferCredit(ctx, id, author, 10, testEvent()).catch(codeOf)),
  );
  expect(results.filter((each) => each === 'posted')).toHaveLength(10);
  expect(results.filter((each) => each === 'credit.insufficient')).toHaveLength(40);
  expect([await balanceOf(ctx, id), await balanceOf(ctx, author)]).toEqual([0, 100]);
});

test('concurrent transfers between two users in both directions all succeed', async () => {
  const [a, b] = [await createUserWithCredit(ctx, 1000), await createUserWithCredit(ctx, 1000)];
  const results: string[] = [];
  // In waves, because a query fails after five seconds of waiting for a connection.
  for (let wave = 0; wave < 5; wave++)
    results.push(
      ...(await Promise.all(
        numbersUpTo(40).flatMap(() => [
          transferCredit(ctx, a, b, 3, testEvent()),
          transferCredit(ctx, b, a, 2, testEvent()),
        ]),
      )),
    );
  expect(new Set(results)).toEqual(new Set(['posted']));
  expect([await balanceOf(ctx, a), await balanceOf(ctx, b)]).toEqual([800, 1200]);
});

test('two transactions that lock users in opposite orders both succeed after a deadlock', async () => {
  const [a, b] = [await createUserWithCredit(ctx, 100), await createUserWithCredit(ctx, 100)];
  const bothHoldALock = Promise.withResolvers<void>();
  let lockCount = 0;
  const inOrder = (first: number, second: number) =>
    inRetriedTransaction(ctx, async (ctx) => {
      await awardCredit(ctx, first, 1, testEvent());
      lockCount += 1;
      if (lockCount === 2) bothHoldALock.resolve();
      await bothHoldALock.promise;
      await awardCredit(ctx, second, 1, testEvent());
    });
  await Promise.all([inOrder(a, b), inOrder(b, a)]);
  expect([await balanceOf(ctx, a), await balanceOf(ctx, b)]).toEqual([102, 102]);
});

test('a refused transfer stores nothing, and its transaction can continue', async () => {
  const [poor, author] = [await createUserWithCredit(ctx, 3), await createUserWithCredit(ctx)];
  const [refusedEvent, postedEvent] = [testEvent(), testEvent()];
  await ctx.db.transaction(async (db) => {
    const inner = { ...ctx, db };
    expect(await transferCredit(inner, poor, author, 4, refusedEvent).catch(codeOf)).toBe('credit.insufficient');
    await transferCredit(inner, poor, author, 3, postedEvent);
  });
  expect([...(await entriesByEventKey(pool, [refusedEvent.key, postedEvent.key])).keys()]).toEqual([postedEvent.key]);
  await expect(awardCredit(ctx, 999_999, 1, testEvent())).rejects.toThrow('用户不存在');
  await expect(transferCredit(ctx, poor, poor, 1, testEvent())).rejects.toThrow(RangeError);
  await expect(
    postLedgerEvent(ctx, { ...testEvent(), entries: [{ account: `user:${author}`, amount: 1 }] }),
  ).rejects.toThrow(RangeError);
  for (const amount of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    await expect(awardCredit(ctx, author, amount, testEvent())).rejects.toThrow(RangeError);
  expect(await chargeCredit(ctx, author, 2, testEvent())).toBe(2);
  expect(await balanceOf(ctx, author)).toBe(1);
});

test('the message for an insufficient balance contains the credit name of the site', async () => {
  await app.inject({
    method: 'PUT',
    url: '/api/v1/config',
    headers: await as.root(),
    payload: { config: [{ category: 'score', name: 'credit_name', value: '金币' }] },
  });
  await expect(chargeCredit(ctx, await createUserWithCredit(ctx), 1, testEvent())).rejects.toMatchObject({
    status: 403,
    message: '金币不足',
  });
});

test('awardCreditWithDailyLimit awards exactly the first ten events of a day and does not count repeated ones', async () => {
  const id = await createUserWithCredit(ctx);
  const daily = (key?: string) =>
    awardCreditWithDailyLimit(ctx, id, 5, { ...testEvent(key), reason: 'document_collected', limit: 10 });
  const repeatedKey = `test:same:${id}`;
  const awardedAmounts = await Promise.all([
    ...numbersUpTo(100).map(() => daily()),
    ...numbersUpTo(20).map(() => daily(repeatedKey)),
  ]);
  expect(awardedAmounts.filter((amount) => amount === 5)).toHaveLength(10);
  expect(await balanceOf(ctx, id)).toBe(50);
  expect(await awardCreditWithDailyLimit(ctx, id, 5, { ...testEvent(), reason: 'document_commented', limit: 1 })).toBe(
    5,
  );
  expect(await awardCreditWithDailyLimit(ctx, id, 5, { ...testEvent(), limit: 0 })).toBe(0);

  // 16:00 UTC is midnight in Shanghai.
  const start = clock.now;
  clock.now = new Date('2026-03-01T15:59:59Z');
  expect(await daily()).toBe(0);
  for (const day of ['03-01', '03-05', '03-20']) {
    clock.now = new Date(`2026-${day}T16:00:00Z`);
    expect(await daily()).toBe(5);
  }
  const { rows } = await pool.query(
    `select day from daily_awards where user_id = $1 and reason = 'document_collected'`,
    [id],
  );
  expect(rows).toEqual([{ day: 20260321 }]);
  clock.now = start;
});

test('a repeated event does not count towards the daily limit', async () => {
  const id = await createUserWithCredit(ctx);
  const daily = (key: string) => awardCreditWithDailyLimit(ctx, id, 1, { ...testEvent(key), limit: 3 });
  const key = `test:again:${id}`;
  expect(await Promise.all(numbersUpTo(30).map(() => daily(key)))).toContain(1);
  expect([await daily(`${key}:2`), await daily(`${key}:3`), await daily(`${key}:4`)]).toEqual([1, 1, 0]);
});

test('the ledger is consistent after all tests of this file', async () => {
  expect(await findLedgerViolations(pool)).toEqual([]);
});
