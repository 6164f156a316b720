import { pgTable } from 'drizzle-orm/pg-core';
import { identity, instant, reference } from '#platform/server/db/columns.ts';

/** `user_id` follows `target_id`. Database triggers maintain the counts. */
export const follows = pgTable('follows', {
  id: identity(),
  user_id: reference(),
  target_id: reference(),
  created_at: instant().notNull(),
});
