import { describe, expect, test } from 'vitest';
import { loginHeaders, newMember, newStaff } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { balanceOf, createUserWithCredit, numbersUpTo, testEvent } from './credit.fixture.ts';
import { awardCredit, transferCredit } from './credit.ts';
import { findLedgerViolations } from './ledger.fixture.ts';

const { app, as, clock, ctx, pool } = await testApp();
const root: { authorization?: string } = await as.root();

const adjust = (payload: object, headers = root) =>
  app.inject({ method: 'POST', url: '/api/v1/user/credit', headers, payload });
const listMovements = async (userId: number, query = '') => {
  const headers = await loginHeaders(ctx, userId);
  return (await app.inject({ url: `/api/v1/user/credit${query}`, headers })).json();
};

describe('an adjustment by an administrator', () => {
  test('moves credit with a reason that the user can read', async () => {
    const id = await createUserWithCredit(ctx);
    expect((await adjust({ user_id: id, amount: 30, note: '活动奖励' })).json()).toMatchObject({
      balance: 30,
    });
    expect((await adjust({ user_id: id, amount: -10, note: '重复发放' })).statusCode).toBe(200);
    const { total, credit } = await listMovements(id);
    expect(total).toBe(2);
    expect(credit).toEqual([
      {
        id: credit[0].id,
        amount: -10,
        balance: 20,
        reason: 'adjustment',
        reason_label: '管理员扣除',
        reference: `user:${id}`,
        note: '重复发放',
        created_at: clock.now.toISOString(),
      },
      expect.objectContaining({
        amount: 30,
        balance: 30,
        reason_label: '管理员增加',
        note: '活动奖励',
      }),
    ]);
    const { rows } = await pool.query('select actor_id from ledger_events where id = $1', [credit[0].id]);
    expect(rows).toEqual([{ actor_id: '1' }]);
    const audit = await app.inject({ url: `/api/v1/audit/list?wd=用户 ${id} `, headers: root });
    expect(audit.json().audit).toMatchObject([
      { user_id: 1, before: { credit_count: 30 }, after: { credit_count: 20, note: '重复发放' } },
      { user_id: 1, before: { credit_count: 0 }, after: { credit_count: 30, note: '活动奖励' } },
    ]);
  });

  test('never deducts more than the balance', async () => {
    const id = await createUserWithCredit(ctx, 5);
    const answers = await Promise.all(numbersUpTo(10).map(() => adjust({ user_id: id, amount: -2, note: '扣除' })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...numbersUpTo(2).map(() => 200),
      ...numbersUpTo(8).map(() => 403),
    ]);
    expect(await balanceOf(ctx, id)).toBe(1);
  });

  test('takes effect once when it is repeated with the same key, with the same answer', async () => {
    const id = await createUserWithCredit(ctx);
    const adjustment = { user_id: id, amount: 7, note: '补发', key: `adjust-${id}-0001` };
    const answers = await Promise.all(numbersUpTo(20).map(() => adjust(adjustment)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await balanceOf(ctx, id)).toBe(7);
    const { rows } = await pool.query('select 1 from audit_logs where target like $1', [`用户 ${id} %`]);
    expect(rows).toHaveLength(1);
    const otherUser = await createUserWithCredit(ctx);
    for (const change of [{ amount: 8 }, { note: '别的' }, { user_id: otherUser }]) {
      const answer = await adjust({ ...adjustment, ...change });
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'credit.keyReused']);
    }
    expect([await balanceOf(ctx, id), await balanceOf(ctx, otherUser)]).toEqual([7, 0]);
  });

  test.each<[string, object]>([
    ['amount 0', { amount: 0 }],
    ['amount -0', { amount: -0 }],
    ['a fractional amount', { amount: 1.5 }],
    ['an amount as text', { amount: '10' }],
    ['an amount above the maximum', { amount: 1_000_001 }],
    ['an amount below the minimum', { amount: -1_000_001 }],
    ['an unsafe integer', { amount: 2 ** 60 }],
    ['an empty note', { note: '  ' }],
    ['an invalid key', { key: 'sign_in:1:20260301 or so' }],
  ])('with %s is rejected with 400', async (_, change) => {
    const id = await createUserWithCredit(ctx, 5);
    const answer = await adjust({ user_id: id, amount: 1, note: '原因', ...change });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'http.invalidInput']);
    expect(await balanceOf(ctx, id)).toBe(5);
  });

  test('requires the permission and an existing user', async () => {
    const id = await createUserWithCredit(ctx);
    const userHeaders = await loginHeaders(ctx, id);
    const adjustment = { user_id: id, amount: 100, note: '给自己' };
    expect((await adjust(adjustment, userHeaders)).statusCode).toBe(403);
    expect((await adjust(adjustment, {})).statusCode).toBe(401);
    const staff = await as.userWith(['UserAPI/AdjustCredit']);
    expect((await adjust(adjustment, staff)).statusCode).toBe(200);
    expect((await adjust({ ...adjustment, user_id: 999_999 }, staff)).statusCode).toBe(404);
  });
});

describe('an adjustment by a user administrator who is not root', () => {
  const adjustment = (user_id: number) => ({ user_id, amount: 5, note: '活动奖励' });

  test('is permitted for accounts without higher permissions', async () => {
    const staff = await newStaff(ctx, ['UserAPI/AdjustCredit', 'UserAPI/ListUser']);
    const equalStaff = await newStaff(ctx, ['UserAPI/AdjustCredit', 'UserAPI/ListUser']);
    for (const { id } of [equalStaff, await newMember(ctx), staff])
      expect((await adjust(adjustment(id), staff.headers)).statusCode).toBe(200);
  });

  test('is rejected for root and for users with permissions that the administrator lacks', async () => {
    const staff = await newStaff(ctx, ['UserAPI/AdjustCredit']);
    const above = await newStaff(ctx, ['UserAPI/AdjustCredit', 'UserAPI/DeleteUser']);
    const refusals = [
      await adjust(adjustment(1), staff.headers),
      await adjust(adjustment(above.id), staff.headers),
      await adjust({ ...adjustment(above.id), amount: -5 }, staff.headers),
    ];
    expect(refusals.map((answer) => [answer.statusCode, answer.json().code])).toEqual([
      [403, 'account.rootStays'],
      [403, 'account.beyondOwn'],
      [403, 'account.beyondOwn'],
    ]);
    expect(await balanceOf(ctx, above.id)).toBe(0);
    expect((await adjust(adjustment(above.id))).statusCode).toBe(200);
  });
});

describe('the list of credit movements', () => {
  test('is paged, newest first, and contains only movements of the caller', async () => {
    const id = await createUserWithCredit(ctx, 1);
    await createUserWithCredit(ctx, 99);
    for (const amount of numbersUpTo(24)) await awardCredit(ctx, id, amount + 1, testEvent());
    const first = await listMovements(id);
    expect([first.total, first.credit.length, first.credit[0].amount]).toEqual([25, 10, 24]);
    const last = await listMovements(id, '?page=3&size=10');
    expect(last.credit.map(({ amount }: { amount: number }) => amount)).toEqual([4, 3, 2, 1, 1]);
    expect(last.credit.at(-1)).toMatchObject({ balance: 1, reason_label: '注册奖励' });
    expect(await listMovements(id, '?page=4')).toEqual({ total: 25, credit: [] });
    expect(await listMovements(await createUserWithCredit(ctx))).toEqual({ total: 0, credit: [] });
    expect((await app.inject({ url: '/api/v1/user/credit' })).statusCode).toBe(401);
  });

  test('labels a purchase differently for buyer and author', async () => {
    const [buyer, author] = [await createUserWithCredit(ctx, 9), await createUserWithCredit(ctx)];
    await transferCredit(ctx, buyer, author, 9, {
      key: `buy:${buyer}`,
      reason: 'download_document',
      reference: 'document:7',
    });
    const labels = [await listMovements(buyer), await listMovements(author)].map(({ credit }) => [
      credit[0].amount,
      credit[0].reason_label,
    ]);
    expect(labels).toEqual([
      [-9, '购买文档'],
      [9, '文档被购买'],
    ]);
  });
});

test('the ledger is consistent after all tests of this file', async () => {
  expect(await findLedgerViolations(pool)).toEqual([]);
});
