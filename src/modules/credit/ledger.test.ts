import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { createUserWithCredit } from './credit.fixture.ts';

const { ctx, pool } = await testApp();

test.each([
  'update ledger_entries set amount = amount + 1',
  'update ledger_events set note = $$changed$$',
  'delete from ledger_entries',
  'delete from ledger_events',
  'truncate ledger_entries',
  'truncate ledger_events, ledger_entries',
])('the ledger rejects the statement %s', async (statement) => {
  await createUserWithCredit(ctx, 1);
  await expect(pool.query(statement)).rejects.toThrow('append-only');
});

test.each([
  [
    'an event whose entries do not sum to zero',
    `with e as (insert into ledger_events (key, reason) values ('bad:1', 'adjustment') returning id)
     insert into ledger_entries (event_id, account, amount) select id, 'system:mint', 5 from e`,
    'sum to 5, not 0',
  ],
  [
    'an event without entries',
    `insert into ledger_events (key, reason) values ('bad:2', 'adjustment')`,
    'sum to nothing, not 0',
  ],
  [
    'a balance changed past the ledger',
    'update users set credit_count = credit_count + 1 where id = 1',
    'has credit_count',
  ],
  [
    'entries without the balance',
    `with e as (insert into ledger_events (key, reason) values ('bad:3', 'adjustment') returning id)
     insert into ledger_entries (event_id, account, amount, position, balance)
     select id, 'system:mint', -5, null::bigint, null::bigint from e
     union all select id, 'user:1', 5, 1, 5 from e`,
    'has credit_count',
  ],
  [
    'a second entry added to an old event',
    `insert into ledger_entries (event_id, account, amount)
     select max(id), 'system:closed', 7 from ledger_events`,
    'sum to 7, not 0',
  ],
])('the ledger rejects %s', async (_, statement, message) => {
  await createUserWithCredit(ctx, 1);
  await expect(pool.query(statement)).rejects.toThrow(message);
});

test('the credit of a deleted account moves to system:closed', async () => {
  const id = await createUserWithCredit(ctx, 12);
  await pool.query('delete from users where id = $1', [id]);
  const { rows } = await pool.query(
    `select l.account, l.amount, l.balance from ledger_entries l join ledger_events e on e.id = l.event_id
     where e.reason = 'account_closed' and e.reference = $1 order by l.amount`,
    [`user:${id}`],
  );
  expect(rows).toEqual([
    { account: `user:${id}`, amount: '-12', balance: '0' },
    { account: 'system:closed', amount: '12', balance: null },
  ]);
  await pool.query('delete from users where id = $1', [await createUserWithCredit(ctx, 0)]);
});
