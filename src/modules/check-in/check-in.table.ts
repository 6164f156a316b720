import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { reference, timestamps } from '#platform/server/db/columns.ts';

export const checkIns = pgTable(
  'check_ins',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    user_id: reference(),
    sign_at: integer().notNull(),
    award: bigint({ mode: 'number' }).notNull(),
    ip: text().notNull().default(''),
    created_at: timestamps().created_at,
  },
  (table) => [primaryKey({ columns: [table.user_id, table.sign_at] })],
);
