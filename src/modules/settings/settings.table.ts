import { pgTable, text } from 'drizzle-orm/pg-core';
import { identity, timestamps } from '#platform/server/db/columns.ts';

/** Only what was set; the catalogue has the rest. */
export const settings = pgTable('settings', {
  id: identity(),
  category: text().notNull(),
  name: text().notNull(),
  value: text().notNull(),
  ...timestamps(),
});
