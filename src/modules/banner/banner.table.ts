import { boolean, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { identity, timestamps } from '#platform/server/db/columns.ts';

export const banners = pgTable('banners', {
  id: identity(),
  title: text().notNull().default(''),
  description: text().notNull().default(''),
  path: text().notNull(),
  url: text().notNull().default(''),
  sort: integer().notNull().default(0),
  enable: boolean().notNull().default(true),
  type: smallint().notNull().default(0),
  ...timestamps(),
});
