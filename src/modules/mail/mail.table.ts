import { pgTable, text } from 'drizzle-orm/pg-core';
import { identity, instant, timestamps } from '#platform/server/db/columns.ts';

export const mails = pgTable('mails', {
  id: identity(),
  recipient: text().notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  status: text({ enum: ['pending', 'sent', 'failed', 'kept'] }).notNull(),
  error: text().notNull().default(''),
  sent_at: instant(),
  created_at: timestamps().created_at,
});
