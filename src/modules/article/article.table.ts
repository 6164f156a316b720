import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { identity, timestamps } from '#platform/server/db/columns.ts';

export const articles = pgTable('articles', {
  id: identity(),
  identifier: text().notNull(),
  title: text().notNull(),
  author: text().notNull().default(''),
  keywords: text().notNull().default(''),
  description: text().notNull().default(''),
  content: text().notNull().default(''),
  view_count: bigint({ mode: 'number' }).notNull().default(0),
  ...timestamps(),
});
