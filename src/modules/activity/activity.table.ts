import { boolean, jsonb, pgTable, smallint } from 'drizzle-orm/pg-core';
import { identity, instant, reference } from '#platform/server/columns.ts';

export const activities = pgTable('activities', {
  id: identity(),
  user_id: reference(),
  type: smallint().notNull(),
  payload: jsonb().$type<unknown>().notNull(),
  /** About something others may not see; the database keeps it. */
  is_hidden: boolean().notNull().default(false),
  created_at: instant().notNull(),
});
