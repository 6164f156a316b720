import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, reference } from '#platform/server/db/columns.ts';

export const checkIns = pgTable(
  'check_ins',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    user_id: reference(),
    sign_at: integer().notNull(),
    award: bigint({ mode: 'number' }).notNull(),
    ip: text().notNull(),
    created_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.sign_at] })],
);
