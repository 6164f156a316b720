import { sql } from 'drizzle-orm';
import { bigint, boolean, jsonb, pgTable, smallint } from 'drizzle-orm/pg-core';
import { identity, instant, reference } from '#platform/server/db/columns.ts';

export const activities = pgTable('activities', {
  id: identity(),
  user_id: reference(),
  type: smallint().notNull(),
  payload: jsonb().$type<unknown>().notNull(),
  /** Of the payload; made by the database. */
  document_id: bigint({ mode: 'number' }).generatedAlwaysAs(sql`(payload -> 'document' ->> 'id')::bigint`),
  /** About something others may not see; the database keeps it. */
  is_hidden: boolean().notNull().default(false),
  created_at: instant().notNull(),
});
