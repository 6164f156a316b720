import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { identity, timestamps } from '#platform/server/db/columns.ts';

export const friendLinks = pgTable('friend_links', {
  id: identity(),
  title: text().notNull(),
  link: text().notNull(),
  description: text().notNull().default(''),
  sort: integer().notNull().default(0),
  enable: boolean().notNull().default(true),
  ...timestamps(),
});
