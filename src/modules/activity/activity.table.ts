import { jsonb, pgTable, smallint } from 'drizzle-orm/pg-core';
import { identity, instant, reference } from '#platform/server/columns.ts';

export const activities = pgTable('activities', {
  id: identity(),
  user_id: reference(),
  type: smallint().notNull(),
  payload: jsonb().$type<unknown>().notNull(),
  created_at: instant().notNull(),
});
