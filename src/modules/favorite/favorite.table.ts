import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { identity, instant, reference, timestamps } from '#platform/server/db/columns.ts';

/** 文辑: an ordered list of favorites. Database triggers maintain the counts. */
export const favoriteFolders = pgTable('favorite_folders', {
  id: identity(),
  user_id: reference(),
  title: text().notNull(),
  description: text().notNull().default(''),
  is_public: boolean().notNull().default(false),
  sort: integer().notNull().default(0),
  favorite_count: integer().notNull().default(0),
  ...timestamps(),
});

export const favorites = pgTable('favorites', {
  id: identity(),
  user_id: reference(),
  document_id: reference(),
  folder_id: bigint({ mode: 'number' }),
  sort: integer().notNull().default(0),
  created_at: instant().notNull(),
});
