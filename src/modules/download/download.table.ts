import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { identity, instant, reference } from '#platform/server/db/columns.ts';

export const purchases = pgTable('purchases', {
  id: identity(),
  user_id: reference(),
  document_id: reference(),
  /** Consecutive number of the purchases of this document by this user. */
  number: integer().notNull(),
  price: integer().notNull(),
  created_at: instant().notNull(),
});

export const downloads = pgTable('downloads', {
  id: identity(),
  /** Null for a visitor. */
  user_id: bigint({ mode: 'number' }),
  document_id: reference(),
  ip: text().notNull().default(''),
  /** Credit paid for this download. */
  price: integer().notNull().default(0),
  created_at: instant().notNull(),
});

export const downloadDays = pgTable(
  'download_days',
  { limit_key: text().notNull(), day: integer().notNull(), count: integer().notNull() },
  (table) => [primaryKey({ columns: [table.limit_key, table.day] })],
);
