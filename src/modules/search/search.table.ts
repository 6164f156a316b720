import { bigint, boolean, integer, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core';
import { identity, instant, reference, timestamps } from '#platform/server/db/columns.ts';

/** Documents that wait for indexing, one row for each change. */
export const searchIndexQueue = pgTable('search_index_queue', {
  id: identity(),
  document_id: reference(),
  is_full: boolean().notNull(),
  created_at: timestamps().created_at,
  /** Not indexed again before this time. */
  retry_at: instant(),
});

export const searchRecords = pgTable('search_records', {
  id: identity(),
  user_id: bigint({ mode: 'number' }),
  ip: text().notNull(),
  user_agent: text().notNull(),
  keywords: text().notNull(),
  total: integer().notNull(),
  page: integer().notNull(),
  spend_time: real().notNull(),
  created_at: timestamps().created_at,
});

export const searchHistory = pgTable(
  'search_history',
  { user_id: reference(), keywords: text().notNull(), searched_at: instant().notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.keywords] })],
);

export const synonyms = pgTable('synonyms', {
  id: identity(),
  words: text().array().notNull(),
  enable: boolean().notNull().default(true),
  ...timestamps(),
});
