import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { identity, reference, timestamps } from '#platform/server/db/columns.ts';

export const ledgerEvents = pgTable('ledger_events', {
  id: identity(),
  key: text().notNull(),
  reason: text().notNull(),
  reference: text().notNull().default(''),
  actor_id: bigint({ mode: 'number' }),
  note: text().notNull().default(''),
  created_at: timestamps().created_at,
});

export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    event_id: reference(),
    /** `user:<id>` or `system:<name>`. */
    account: text().notNull(),
    amount: bigint({ mode: 'number' }).notNull(),
    /** For accounts of users: the sequence number of the movement, and the balance after it. */
    position: bigint({ mode: 'number' }),
    balance: bigint({ mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.event_id, table.account] })],
);

export const dailyAwards = pgTable(
  'daily_awards',
  {
    user_id: reference(),
    reason: text().notNull(),
    day: integer().notNull(),
    count: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.reason, table.day] })],
);
