import { pgTable, text } from 'drizzle-orm/pg-core';
import { identity, timestamps } from '#platform/server/db/columns.ts';

/** Only settings that an administrator changed; the catalogue has the defaults. */
export const settings = pgTable('settings', {
  id: identity(),
  category: text().notNull(),
  name: text().notNull(),
  value: text().notNull(),
  ...timestamps(),
});
