import { sql } from 'drizzle-orm';
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { identity, instant } from '../db/columns.ts';

export const events = pgTable('events', {
  id: identity(),
  subject: text({ enum: ['document', 'rendition', 'category'] }).notNull(),
  subject_id: bigint({ mode: 'number' }).notNull(),
  type: text().notNull(),
  handled_by: text().array().notNull().default([]),
  attempts: integer().notNull().default(0),
  retry_at: instant(),
  created_at: instant().notNull().default(sql`now()`),
});
export type EventSubject = (typeof events.$inferSelect)['subject'];
